// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Several clusters as a table and as a page. */
@NullMarked
package io.hearth.fleet.report;

import org.jspecify.annotations.NullMarked;
