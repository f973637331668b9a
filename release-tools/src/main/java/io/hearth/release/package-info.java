// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** What the build of a release runs: documents as HTML, sums and signatures of what is published. */
@NullMarked
package io.hearth.release;

import org.jspecify.annotations.NullMarked;
