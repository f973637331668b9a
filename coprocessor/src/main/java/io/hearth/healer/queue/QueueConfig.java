// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.queue;

/**
 * When a region is looked at. Immutable.
 *
 * @param threshold the reported locality below which a region is looked at, 0 to 1
 * @param regionStableMs how long a region must have been served by the same server
 * @param backoff the wait before a region is looked at again
 */
public record QueueConfig(double threshold, long regionStableMs, ExponentialBackoff backoff) {}
