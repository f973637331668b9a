// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Several clusters at one time: which there are, what is asked of each, and what each has answered. */
@NullMarked
package io.hearth.fleet.model;

import org.jspecify.annotations.NullMarked;
