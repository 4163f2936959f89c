// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/router.h"

namespace atrium::lab {

/// Everything below /lab.
void AddRoutes(http::Router& router);

// By kind: lab_failures.cc, lab_holds.cc, lab_sockets.cc, lab_streams.cc, lab_uploads.cc.
void AddFailures(http::Router& router);
void AddHolds(http::Router& router);
void AddSockets(http::Router& router);
void AddStreams(http::Router& router);
void AddUploads(http::Router& router);

/// Answers when POST /lab/release was asked, or after a minute.
Result<http::Reply> Hold();
/// Whether POST /lab/release was asked.
bool IsReleased();

}  // namespace atrium::lab
