// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/api.h"

namespace atrium::identity {

class Identity;

// Each adds the routes of its source file; docs/api/identity.md shows requests and replies. The
// room outlives the API.

/// Set-up, signing in and out, mailed links.
void AddSignInRoutes(api::Api& api, Identity& room);
/// One's own account: who am I, password, address, second factor, sessions.
void AddAccountRoutes(api::Api& api, Identity& room);
/// What people look like.
void AddPhotoRoutes(api::Api& api, Identity& room);
/// What administrators do: people and organisations.
void AddPeopleRoutes(api::Api& api, Identity& room);
/// Tokens, and the audit log.
void AddTokenRoutes(api::Api& api, Identity& room);
/// Signing in as clients of Seafile do.
void AddClientRoutes(api::Api& api, Identity& room);
/// Signing in through others.
void AddProviderRoutes(api::Api& api, Identity& room);
/// What administrators do about invitations and those who wait to be let in.
void AddInvitationRoutes(api::Api& api, Identity& room);
/// Opening the link of an invitation.
void AddJoinRoutes(api::Api& api, Identity& room);
/// What the keys of the server have sealed.
void AddSecretsRoutes(api::Api& api, Identity& room);

}  // namespace atrium::identity
