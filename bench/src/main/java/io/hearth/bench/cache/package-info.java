// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** What the DataNode's read cache does with reads like those of a busy cluster, and what it costs. */
@NullMarked
package io.hearth.bench.cache;

import org.jspecify.annotations.NullMarked;
