// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.core;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import io.hearth.healer.fakes.Racks;
import io.hearth.healer.model.DataNode;
import io.hearth.healer.model.DataNodes;
import io.hearth.healer.spi.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** What the log says of a rack script that answers nothing, or not for all. */
class DataNodeTrackerTest {

    private static final long AGAIN_MS = 60_000;

    private final Logger log = mock(Logger.class);
    private final List<DataNode> listed = new ArrayList<>();
    private final DataNodeTracker dataNodes = new DataNodeTracker(() -> Observed.known(DataNodes.of(listed)), log);
    private long nowMs;

    @Test
    void dataNodesWithoutARackAreNamedOnce() {
        listed.addAll(List.of(Racks.node("a1"), Racks.node("b1"), withoutRack("x1")));
        look();
        look();
        verify(log).warn(line("1 of 3 (x1)"));

        listed.add(withoutRack("x2"));
        look();
        verifyNoMoreInteractions(log);
        nowMs += 3_600_000;
        look();
        verify(log).warn(line("2 of 4 (x1, x2)"));

        nowMs += 3_600_000;
        listed.removeIf(node -> node.host().equals("x2"));
        look();
        listed.removeIf(node -> node.rack().equals(DataNode.DEFAULT_RACK));
        look();
        verifyNoMoreInteractions(log);
    }

    @Test
    void noMoreThanFiveAreNamed() {
        listed.add(Racks.node("a1"));
        IntStream.range(1, 8).forEach(number -> listed.add(withoutRack("x" + number)));
        look();
        verify(log).warn(line("7 of 8 (x1, x2, x3, x4, x5, ...)"));
    }

    @Test
    void aClusterWithoutRacksIsNoFault() {
        DataNode one = withoutRack("x1");
        DataNode besideIt =
                new DataNode(new DataNode.Id("uuid-other"), "x1", one.ipAddress(), DataNode.DEFAULT_RACK, one.state());
        listed.addAll(List.of(one, besideIt, withoutRack("x2")));
        look();
        verifyNoMoreInteractions(log);
    }

    private static String line(String which) {
        return "DataNodes without a rack: " + which
                + ". The NameNode's rack script (net.topology.script.file.name) says nothing of them; HDFS and healing take"
                + " /default-rack for one rack more. Mend the script and restart the NameNode.";
    }

    private static DataNode withoutRack(String name) {
        DataNode node = Racks.node(name);
        return new DataNode(node.id(), name, node.ipAddress(), DataNode.DEFAULT_RACK, node.state());
    }

    private void look() {
        nowMs += AGAIN_MS;
        Observed<DataNodes> unused = dataNodes.recent(nowMs);
    }
}
