// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "base/result.h"
#include "egress/smtp_sender.h"
#include "mail/transport.h"

namespace atrium::mail {

/// Hands letters to a mail server.
class SmtpTransport final : public Transport {
 public:
  explicit SmtpTransport(egress::SmtpOptions options) : sender_(std::move(options)) {}

  Result<void> Send(const Envelope& envelope, std::string_view mime) override {
    return sender_.Send({.from = envelope.from, .to = envelope.to, .stop = envelope.stop}, mime);
  }

 private:
  egress::SmtpSender sender_;
};

}  // namespace atrium::mail
