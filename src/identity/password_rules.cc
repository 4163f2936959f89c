// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/password_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/utf8.h"

namespace atrium::identity {
namespace {

/// In lower case. Shorter ones are refused for their length, and sequences for being sequences.
constexpr auto kCommon = std::to_array<std::string_view>(
    {"00000000001",       "0192837465",       "0987654321a",
     "1029384756",        "1111122222",       "11112222333344445555",
     "1122334455",        "112233445566",     "11223344556677",
     "123123123a",        "123321123321",     "1234554321",
     "123456654321",      "1234567890a",      "1234567890q",
     "12345678987654321", "123456789a",       "123456789abc",
     "123456789q",        "123456789qwe",     "123456qwerty",
     "12345qwert6",       "1234qwerasdf",     "1234qwerasdfzxcv",
     "123qwe123qwe",      "123qweasd123",     "123qweasdzxc",
     "1357924680",        "1472583690",       "147258369147",
     "147258369a",        "159357159357",     "1597534862",
     "1a2b3c4d5e",        "1q2w3e4r5t",       "1q2w3e4r5t6y",
     "1q2w3e4r5t6y7u",    "1q2w3e4r5t6y7u8i", "1q2w3e4r5t6y7u8i9o0p",
     "1qaz2wsx3e",        "1qaz@wsx3edc",     "1qazxsw23edc",
     "2468013579",        "3.14159265",       "3141592653",
     "31415926535",       "741852963a",       "789456123789",
     "789456123a",        "9876543210a",      "a123456789",
     "a1234567890",       "a1b2c3d4e5",       "a1b2c3d4e5f6",
     "aa12345678",        "aa123456789",      "abc1234567",
     "abc123456789",      "abc123abc123",     "abcd123456",
     "abcd1234567",       "abcde12345",       "abcdef1234",
     "abcdef123456",      "admin12345",       "admin123456",
     "admin1234567",      "adminadmin",       "adminadmin1",
     "administrador",     "administrator",    "administrator1",
     "administrator123",  "adminpassword",    "alexander1",
     "alexander123",      "alexandria",       "arsenal123",
     "asdf123456",        "asdfasdf12",       "asdfghjkl1",
     "asdfghjkl123",      "asdfghjkl;",       "asdfjkl123",
     "autumn2024",        "autumn2025",       "autumn2026",
     "azerty1234",        "azerty12345",      "azerty123456",
     "azertyuiop1",       "babyboy123",       "babygirl12",
     "babygirl123",       "babygirl1234",     "barcelona1",
     "barcelona123",      "baseball12",       "baseball123",
     "basketball",        "basketball1",      "basketball123",
     "batman1234",        "batman12345",      "beautiful1",
     "beautiful123",      "bienvenido1",      "bienvenue1",
     "birthday12",        "birthday123",      "blink182blink182",
     "blueberry1",        "bubblegum1",       "buster1234",
     "butterfly1",        "butterfly123",     "california",
     "california1",       "changeme!!",       "changeme12",
     "changeme123",       "changeme1234",     "changemenow",
     "changepassword",    "charlie123",       "charlie1234",
     "cheesecake",        "chelsea123",       "chocolate1",
     "chocolate12",       "chocolate123",     "christmas1",
     "christmas25",       "christopher",      "christopher1",
     "computer12",        "computer123",      "computer1234",
     "contrasena",        "contrasena1",      "contrasena123",
     "contrasenya",       "contraseña",       "contraseña1",
     "cookie1234",        "cookiemonster",    "correcthorsebatterystaple",
     "corvette123",       "december2024",     "december2025",
     "default123",        "defaultpassword",  "demo123456",
     "dragon1234",        "dragon12345",      "elizabeth1",
     "eminem1234",        "facebook12",       "facebook123",
     "facebook1234",      "ferrari123",       "football12",
     "football123",       "football1234",     "forgotpassword",
     "fortnite123",       "ginger1234",       "godisgood1",
     "godisgreat",        "godislove1",       "goodbye123",
     "goodmorning",       "google1234",       "google12345",
     "greenday123",       "guest12345",       "guestguest",
     "happybirthday",     "harleydavidson",   "haslohaslo123",
     "heartbreaker",      "hello12345",       "hello123456",
     "hellohello",        "hellokitty",       "hellokitty1",
     "helloworld",        "helloworld1",      "helloworld123",
     "idontknow1",        "idontknow123",     "idontremember",
     "iforgotit1",        "ilovejesus",       "ilovemycat",
     "ilovemydad",        "ilovemydog",       "ilovemyfamily",
     "ilovemykids",       "ilovemymom",       "ilovemyself",
     "iloveyou!!",        "iloveyou1!",       "iloveyou12",
     "iloveyou123",       "iloveyou1234",     "iloveyoubaby",
     "iloveyouforever",   "iloveyouso",       "iloveyousomuch",
     "instagram1",        "instagram123",     "internet12",
     "internet123",       "iphone12345",      "january2025",
     "january2026",       "jennifer12",       "jennifer123",
     "jesus12345",        "jesuschrist",      "jesusloves",
     "jesuslovesme",      "jonathan123",      "jordan1234",
     "jordan2345",        "juventus123",      "kennwort123",
     "kennwort1234",      "letmein123",       "letmein1234",
     "letmein12345",      "letmeinnow",       "letmeinplease",
     "linkedin123",       "liverpool1",       "liverpool123",
     "losenord123",       "manchester",       "manchester1",
     "manchesterunited",  "master1234",       "master12345",
     "master123456",      "meinpasswort",     "mercedes123",
     "metallica1",        "metallica123",     "michael123",
     "michael1234",       "michelle123",      "mickeymouse",
     "microsoft1",        "microsoft123",     "minecraft1",
     "minecraft123",      "minhasenha",       "monkey1234",
     "monkey12345",       "monkey123456",     "motdepasse",
     "motdepasse1",       "motdepasse123",    "mustang1234",
     "mypassword",        "mypassword1",      "mypassword123",
     "mypasswordis",      "newpassword",      "newpassword1",
     "newpassword123",    "nextcloud1",       "nextcloud123",
     "nirvana123",        "nopassword1",      "november11",
     "opensesame",        "opensesame1",      "owncloud123",
     "p@ssw0rd12",        "p@ssw0rd123",      "p@ssw0rd1234",
     "p@ssword123",       "passw0rd12",       "passw0rd123",
     "passw0rd1234",      "password!!",       "password01",
     "password1!",        "password12",       "password123",
     "password123!",      "password1234",     "password12345",
     "password123456",    "password2020",     "password2021",
     "password2022",      "password2023",     "password2024",
     "password2025",      "password2026",     "passwordpassword",
     "passwort123",       "passwort1234",     "passwort12345",
     "peanutbutter",      "pikachu123",       "pleasechange",
     "pokemon123",        "pokemon1234",      "princess12",
     "princess123",       "princess1234",     "q1w2e3r4t5",
     "q1w2e3r4t5y6",      "qazwsxedc1",       "qazwsxedc123",
     "qazwsxedcrfv",      "qwe123qwe123",     "qweasdzxc1",
     "qweasdzxc123",      "qwerasdfzxcv",     "qwerty123!",
     "qwerty1234",        "qwerty12345",      "qwerty123456",
     "qwerty123qwerty",   "qwertyqwerty",     "qwertyuiop1",
     "qwertyuiop12",      "qwertyuiop123",    "qwertyuiop[]",
     "qwertz1234",        "qwertz12345",      "qwertz123456",
     "qwertzuiop1",       "realmadrid",       "realmadrid1",
     "rockandroll",       "root123456",       "rootpassword",
     "rootroot123",       "salasana123",      "samsung123",
     "samsung1234",       "scoobydoo1",       "seafile123",
     "secret1234",        "secret12345",      "secretpassword",
     "securepassword",    "senha12345",       "september1",
     "shadow1234",        "shadow12345",      "skateboard",
     "slipknot666",       "snoopy1234",       "spiderman1",
     "spiderman123",      "spongebob1",       "spongebob123",
     "spring2024",        "spring2025",       "spring2026",
     "startrek123",       "starwars12",       "starwars123",
     "strawberry",        "strawberry1",      "strongpassword",
     "summer2024",        "summer2025",       "summer2026",
     "sunshine12",        "sunshine123",      "sunshine1234",
     "superadmin",        "superman12",       "superman123",
     "superman1234",      "supersecret",      "supersecret1",
     "supersecret123",    "superuser1",       "sweetheart",
     "sweetheart1",       "temppassword",     "test123456",
     "tester1234",        "testing123",       "testing1234",
     "testpassword",      "testtest12",       "testtest123",
     "thankyougod",       "thepassword",      "thisisapassword",
     "thisisasecret",     "thisismypassword", "tigger1234",
     "tinkerbell",        "tinkerbell1",      "toor123456",
     "topsecret1",        "topsecret123",     "trustno123",
     "trustno1trustno1",  "trustnoone",       "unbelievable",
     "user123456",        "username123",      "userpassword",
     "volleyball",        "wachtwoord",       "wachtwoord1",
     "wachtwoord123",     "watermelon",       "watermelon1",
     "welcome123",        "welcome123!",      "welcome1234",
     "welcome12345",      "welcome2024",      "welcome2025",
     "welcome2026",       "whatever12",       "whatever123",
     "whatismypassword",  "willkommen",       "willkommen1",
     "willkommen123",     "windows123",       "winter2024",
     "winter2025",        "winter2026",       "yourpassword",
     "zaq12wsxcde3",      "zaq1xsw2cde3",     "zxcvbnm,./",
     "zxcvbnm123",        "zxcvbnm1234"});

/// What fingers do on a keyboard, and the alphabet. Each counts backwards and around its end too.
constexpr std::array<std::string_view, 8> kSequences{"0123456789",
                                                     "1234567890",
                                                     "abcdefghijklmnopqrstuvwxyz",
                                                     "qwertyuiopasdfghjklzxcvbnm",
                                                     "qwertzuiopasdfghjklyxcvbnm",
                                                     "azertyuiopqsdfghjklmwxcvbn",
                                                     "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
                                                     "qazwsxedcrfvtgbyhnujmikolp"};

/// Repeating at most so many characters is refused whatever they are.
constexpr std::size_t kShortUnit = 4;

/// Characters, each as its UTF-8 bytes: views into the text they were taken from.
using Characters = std::vector<std::string_view>;

std::unexpected<Error> Refuse(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, "the password " + std::string(why));
}

char Lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), Lower);
  return lower;
}

bool IsDigit(char c) {
  return '0' <= c && c <= '9';
}

bool IsPunctuation(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x80 && !IsDigit(c) && !('a' <= Lower(c) && Lower(c) <= 'z');
}

/// What is left when case, spaces and punctuation do not count.
std::string Bare(std::string_view text) {
  std::string bare = LowerCase(text);
  std::erase_if(bare, IsPunctuation);
  return bare;
}

std::string WithoutDigitsBehind(std::string text) {
  while (!text.empty() && IsDigit(text.back())) {
    text.pop_back();
  }
  return text;
}

Characters CharactersOf(std::string_view valid) {
  Characters characters;
  while (!valid.empty()) {
    const std::size_t bytes = NextUtf8(valid).bytes;
    characters.push_back(valid.substr(0, bytes));
    valid.remove_prefix(bytes);
  }
  return characters;
}

/// After how many characters the text repeats itself; its whole length when it does not.
std::size_t PeriodOf(const Characters& characters) {
  std::size_t period = 1;
  while (!std::equal(characters.begin() + static_cast<std::ptrdiff_t>(period), characters.end(),
                     characters.begin())) {
    ++period;
  }
  return period;
}

bool IsSequence(std::string_view text) {
  const std::string backwards(text.rbegin(), text.rend());
  return std::ranges::any_of(kSequences, [&](std::string_view sequence) {
    std::string around(sequence);
    while (around.size() < sequence.size() + text.size()) {
      around += sequence;
    }
    return around.contains(text) || around.contains(backwards);
  });
}

bool IsMonotonous(std::string_view lower) {
  const Characters characters = CharactersOf(lower);
  const std::size_t period = PeriodOf(characters);
  if (2 * period > characters.size()) {
    return IsSequence(lower);
  }
  const char* const unit_end = characters[period - 1].data() + characters[period - 1].size();
  return period <= kShortUnit || IsSequence(std::string_view(lower.data(), unit_end));
}

bool IsListed(std::string_view text) {
  return std::ranges::find(kCommon, text) != kCommon.end();
}

bool IsCommon(std::string_view lower) {
  return IsListed(lower) || IsListed(Bare(lower));
}

/// Whether the password is nothing but `word`, which may be empty, in some disguise.
bool IsDisguised(std::string_view password, std::string_view word) {
  const std::string bare = Bare(password);
  const std::string bare_word = Bare(word);
  const std::string stem = WithoutDigitsBehind(bare_word);
  return (!bare_word.empty() && bare == bare_word) ||
         (!stem.empty() && WithoutDigitsBehind(bare) == stem);
}

Result<void> CheckOwner(std::string_view password, const PasswordContext& context) {
  const std::string_view local = context.email.substr(0, context.email.find('@'));
  if (IsDisguised(password, context.email) || IsDisguised(password, local)) {
    return Refuse("is too close to the e-mail address");
  }
  if (IsDisguised(password, context.name)) {
    return Refuse("is too close to the name");
  }
  return {};
}

}  // namespace

Result<void> CheckNewPassword(std::string_view password, const PasswordContext& context) {
  if (password.size() > kPasswordBytesMax) {
    return Refuse("is longer than 1024 bytes");
  }
  if (!IsValidUtf8(password)) {
    return Refuse("is not valid UTF-8");
  }
  if (CharactersOf(password).size() < kPasswordCharactersMin) {
    return Refuse("is shorter than 10 characters");
  }
  RETURN_IF_ERROR(CheckOwner(password, context));
  const std::string lower = LowerCase(password);
  if (IsMonotonous(lower)) {
    return Refuse("is a sequence, or repeats the same few characters");
  }
  if (IsCommon(lower)) {
    return Refuse("is among those that everybody tries first");
  }
  return {};
}

}  // namespace atrium::identity
