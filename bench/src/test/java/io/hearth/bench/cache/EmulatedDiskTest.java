// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.bench.cache.EmulatedDisk.DiskTimes;
import org.junit.jupiter.api.Test;

/** A disk of 8 ms and 1 ms for each MiB, behind a page cache of two MiB; whoever waits moves the clock. */
class EmulatedDiskTest {

    private static final long MS = 1_000_000;
    private static final long MIB = 1 << 20;

    private long nanos;
    private final EmulatedDisk disk = new EmulatedDisk(
            new DiskTimes(8 * MS, 1_000 * MIB), 2 * MIB, () -> nanos, until -> nanos = Math.max(nanos, until));

    EmulatedDiskTest() {
        disk.switchOn(true);
    }

    private long msOf(String file, long position, long length) {
        long before = nanos;
        disk.open(file).read(position, length);
        return (nanos - before) / MS;
    }

    @Test
    void aReadIsASeekAndAMebibyte() {
        assertThat(msOf("a", 3 * MIB + 5, 10)).isEqualTo(9);
        assertThat(disk.extentsRead()).isEqualTo(1);
    }

    @Test
    void whatFollowsNeedsNoSeek() {
        assertThat(msOf("a", 0, 4 * MIB)).isEqualTo(8 + 4);
        assertThat(msOf("b", 4 * MIB, 1)).isEqualTo(9);
    }

    @Test
    void thePageCacheTakesNoTimeForWhatItStillHas() {
        disk.open("a").read(0, 1);
        disk.open("b").read(0, 1);
        assertThat(msOf("a", MIB - 1, 1)).isZero();
        assertThat(msOf("c", 0, 1)).isEqualTo(9);
        assertThat(msOf("a", 0, 1)).isZero();
        assertThat(msOf("b", 0, 1)).isEqualTo(9);
    }

    @Test
    void anOpenFileHasTheRestOfItsExtent() {
        EmulatedDisk.OpenFile open = disk.open("a");
        open.read(0, 1);
        for (String other : new String[] {"b", "c", "d"}) {
            disk.open(other).read(0, 1);
        }
        long before = nanos;
        open.read(1, MIB - 1);
        assertThat(nanos).isEqualTo(before);
        open.read(MIB - 1, 2);
        assertThat(nanos).isEqualTo(before + 9 * MS);
    }

    @Test
    void whoAsksForWhatIsBeingReadWaitsForIt() {
        long[] waited = new long[2];
        EmulatedDisk slow =
                new EmulatedDisk(new DiskTimes(8 * MS, 1_000 * MIB), MIB, () -> nanos, until -> waited[0] = until);
        slow.switchOn(true);
        slow.open("a").read(0, 1);
        waited[1] = waited[0];
        slow.open("a").read(1, 1);
        assertThat(waited).containsOnly(9 * MS);
        slow.open("b").read(0, 1);
        assertThat(waited[0]).isEqualTo(18 * MS);
    }

    @Test
    void whatWasAskedForIsKnown() {
        disk.open("a").read(0, 1);
        assertThat(disk.wasAskedFor("a", MIB - 1, 1, 0)).isTrue();
        assertThat(disk.wasAskedFor("a", MIB, 1, 0)).isFalse();
        assertThat(disk.wasAskedFor("b", 0, 1, 0)).isFalse();
        assertThat(disk.wasAskedFor("a", 0, 1, 1)).isFalse();
        disk.open("a").read(5, 1);
        assertThat(disk.wasAskedFor("a", 0, 1, 1)).isTrue();
    }

    @Test
    void switchedOffItTakesNoTimeAndRemembersNothing() {
        disk.open("a").read(0, 1);
        disk.switchOn(false);
        assertThat(msOf("b", 0, 10 * MIB)).isZero();
        disk.switchOn(true);
        assertThat(disk.wasAskedFor("a", 0, 1, 0)).isFalse();
        assertThat(msOf("a", 0, 1)).isPositive();
        assertThat(msOf("a", 2 * MIB, 0)).isZero();
    }
}
