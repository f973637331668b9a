// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** What share of requests is promised to be served and how fast, what is left of the errors that this allows, and when to wake somebody. */
@NullMarked
package io.hearth.slo.objective;

import org.jspecify.annotations.NullMarked;
