// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/letter.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace atrium::mail {
namespace {

// Styles stand at each element: many readers drop the head of a page. A table sets the width
// because some of them know no other way.
constexpr std::string_view kPage = R"(<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{subject}</title>
</head>
<body style="margin:0;padding:0;background:#f4f4f2">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f4f2">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:8px">
<tr><td style="padding:28px;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#222222">
{content}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
)";

constexpr std::string_view kParagraph = "<p style=\"margin:0 0 16px\">{}</p>\n";

constexpr std::string_view kButton =
    R"(<p style="margin:24px 0"><a href="{url}" style="display:inline-block;padding:12px 20px;background:#2f5d50;color:#ffffff;text-decoration:none;border-radius:6px">{label}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:#666666;word-break:break-all">{url}</p>
)";

std::string_view Escape(char letter) {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {};
  }
}

std::string Escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char letter : text) {
    const std::string_view entity = Escape(letter);
    entity.empty() ? html.push_back(letter) : void(html.append(entity));
  }
  return html;
}

std::string HtmlParagraph(std::string_view text) {
  return text.empty() ? std::string() : fmt::format(kParagraph, Escaped(text));
}

std::string TextParagraph(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("{}\n\n", text);
}

std::string RenderHtml(const Letter& letter) {
  std::string content = HtmlParagraph(letter.greeting);
  for (const std::string& paragraph : letter.paragraphs) {
    content += HtmlParagraph(paragraph);
  }
  if (letter.button) {
    content += fmt::format(kButton, fmt::arg("url", Escaped(letter.button->url)),
                           fmt::arg("label", Escaped(letter.button->label)));
  }
  content += HtmlParagraph(letter.closing);
  return fmt::format(kPage, fmt::arg("subject", Escaped(letter.subject)),
                     fmt::arg("content", content));
}

std::string RenderText(const Letter& letter) {
  std::string text = TextParagraph(letter.greeting);
  for (const std::string& paragraph : letter.paragraphs) {
    text += TextParagraph(paragraph);
  }
  if (letter.button) {
    text += fmt::format("{}:\n{}\n\n", letter.button->label, letter.button->url);
  }
  text += TextParagraph(letter.closing);
  while (text.ends_with("\n\n")) {
    text.pop_back();
  }
  return text;
}

}  // namespace

Message Compose(const Letter& letter) {
  return {.to = letter.to,
          .subject = letter.subject,
          .text = RenderText(letter),
          .html = RenderHtml(letter)};
}

}  // namespace atrium::mail
