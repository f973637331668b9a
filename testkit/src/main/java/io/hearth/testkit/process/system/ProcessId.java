// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.testkit.process.system;

/**
 * One process and no other, also after its number was given to another: a number is used again, but not by a process that
 * started at the same tick of the same run of the machine.
 *
 * @param pid its number
 * @param startTicks when it was started, in clock ticks since the machine was
 * @param bootId which run of the machine that was: {@code /proc/sys/kernel/random/boot_id}
 */
public record ProcessId(long pid, long startTicks, String bootId) {}
