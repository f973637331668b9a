// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

/**
 * How a heal ended. Immutable.
 *
 * @param line why, in one line for a person
 */
record HealResult(ExitCode code, String line) {}
