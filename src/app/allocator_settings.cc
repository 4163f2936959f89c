// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// jemalloc reads this variable when a program starts: docs/adr/0031-the-allocator.md. A thread of
// its own gives memory back that was not used for a second; whoever frees memory does not wait for
// that.
extern "C" {
extern const char* const malloc_conf;
const char* const malloc_conf = "background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0";
}
