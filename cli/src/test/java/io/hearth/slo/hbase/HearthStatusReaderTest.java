// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.slo.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.event.ClusterReading.HearthReading;
import io.hearth.slo.event.ClusterReading.PlannedMove;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HearthStatusReaderTest {

    private static String status(String balancer, String counts, String plans) {
        return "{\"overview\":{\"balancer\":{" + balancer + "}},\"healing\":{\"sinceStart\":{" + counts
                + "}},\"plans\":{\"plans\":[" + plans + "]}}";
    }

    private static String plan(long atMs, String more, int moveCount, String moves) {
        return "{\"atMs\":" + atMs + more + ",\"moveCount\":" + moveCount + ",\"moves\":[" + moves + "]}";
    }

    private static String move(String region, String to) {
        return "{\"region\":\"" + region + "\",\"to\":\"" + to + ",16020,5\"}";
    }

    @Test
    void itReadsTheLatestMoveOfEachRegionOfPlansThatAreCarriedOut() {
        String plans = String.join(
                ",",
                plan(30, ",\"adviseOnly\":\"why\"", 1, move("r1", "c")),
                plan(20, "", 2, move("r1", "a") + "," + move("r2", "b")),
                plan(10, "", 1, move("r1", "b")));

        assertThat(HearthStatusReader.read(status(
                        "\"braked\":\"west: why\"",
                        "\"blocksVerified\":3,\"bytesVerified\":4,\"compactionsRequested\":5",
                        plans)))
                .isEqualTo(new HearthReading(
                        true,
                        Optional.of("west: why"),
                        Map.of("r1", new PlannedMove("a:16020", 20), "r2", new PlannedMove("b:16020", 20)),
                        Optional.empty(),
                        3,
                        4,
                        5));
    }

    @Test
    void plansThatAreNotListedAreSaid() {
        assertThat(HearthStatusReader.read(status("", "", plan(20, "", 2, move("r", "a")) + "," + plan(10, "", 0, "")))
                        .unlistedUntilMs())
                .as("more moves than are listed")
                .contains(20L);
        assertThat(HearthStatusReader.read(
                                status("", "", String.join(",", Collections.nCopies(10, plan(7, "", 0, "")))))
                        .unlistedUntilMs())
                .as("there may have been others before")
                .contains(7L);
        assertThat(HearthStatusReader.read(status("", "", "")))
                .isEqualTo(new HearthReading(true, Optional.empty(), Map.of(), Optional.empty(), 0, 0, 0));
    }
}
