// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.verify;

import io.hearth.healer.model.BlockMove;

/**
 * A move of which the NameNode has not said how it ended. Immutable.
 *
 * @param copied whether the DataNode says that it has copied the block; if not, it may still be at it
 * @param sinceMs when the NameNode's word began to be awaited
 */
public record PendingVerification(BlockMove move, boolean copied, long sinceMs) {}
