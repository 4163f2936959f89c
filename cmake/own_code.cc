// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// A module for clang-tidy 19, which looks at every declaration of every header and then drops what
// it found in those of other projects: half of its time. The check "atrium-own-code" finds nothing
// itself. It keeps the others from looking there, and writes down which of our files were read, so
// that the build knows when to lint again.

#include <clang-tidy/ClangTidyCheck.h>
#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/ASTMatchers/ASTMatchFinder.h>
#include <clang/ASTMatchers/ASTMatchers.h>
#include <clang/Basic/SourceManager.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace atrium::lint {
namespace {

namespace matchers = clang::ast_matchers;

std::vector<clang::Decl*> OwnDeclarations(const clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  std::vector<clang::Decl*> own;
  for (clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
    // A declaration that a macro of theirs makes in our file is ours.
    const clang::SourceLocation place = sources.getExpansionLoc(declaration->getBeginLoc());
    if (place.isValid() && !sources.isInSystemHeader(place)) {
      own.push_back(declaration);
    }
  }
  return own;
}

/// In the form of make, for the target that ATRIUM_LINT_STAMP names, to the file of that name with
/// ".d" behind it.
void WriteDependencies(const clang::SourceManager& sources) {
  const char* stamp = std::getenv("ATRIUM_LINT_STAMP");
  if (stamp == nullptr) {
    return;
  }
  std::ofstream out(std::string(stamp) + ".d");
  out << stamp << ":";
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
    const std::string name = file->first.getName().str();
    if (!name.starts_with("/usr/")) {
      out << " \\\n  " << name;
    }
  }
  out << "\n";
}

class OwnCode final : public clang::tidy::ClangTidyCheck {
 public:
  using ClangTidyCheck::ClangTidyCheck;

  void registerMatchers(matchers::MatchFinder* finder) override {
    // The unit itself is matched before what is in it.
    finder->addMatcher(matchers::translationUnitDecl(), this);
  }

  void check(const matchers::MatchFinder::MatchResult& match) override {
    match.Context->setTraversalScope(OwnDeclarations(*match.Context));
    WriteDependencies(*match.SourceManager);
  }
};

class Module final : public clang::tidy::ClangTidyModule {
 public:
  void addCheckFactories(clang::tidy::ClangTidyCheckFactories& factories) override {
    factories.registerCheck<OwnCode>("atrium-own-code");
  }
};

const clang::tidy::ClangTidyModuleRegistry::Add<Module> added("atrium",
                                                              "What Atrium's lint needs.");

}  // namespace
}  // namespace atrium::lint
