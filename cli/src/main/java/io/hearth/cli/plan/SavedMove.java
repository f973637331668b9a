// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.plan;

/**
 * One move of a kept plan. Immutable.
 *
 * @param region the region's encoded name
 * @param from a server as HBase writes it: {@code host,port,startcode}
 * @param to the same
 */
public record SavedMove(String region, String table, String from, String to) {}
