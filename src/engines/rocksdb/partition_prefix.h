// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/slice_transform.h>

#include <memory>

namespace atrium::rocks {

/// Table and partition of a key: what filters know beside whole keys, so that a scan of a partition
/// opens only the files that have it.
std::shared_ptr<const rocksdb::SliceTransform> MakePartitionPrefix();

}  // namespace atrium::rocks
