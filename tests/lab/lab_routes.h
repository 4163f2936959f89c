// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/router.h"

namespace atrium::lab {

/// Everything below /lab.
void AddRoutes(http::Router& router);

// By kind: lab_sockets.cc, lab_streams.cc, lab_uploads.cc.
void AddSockets(http::Router& router);
void AddStreams(http::Router& router);
void AddUploads(http::Router& router);

}  // namespace atrium::lab
