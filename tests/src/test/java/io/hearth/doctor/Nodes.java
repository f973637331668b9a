package io.hearth.doctor;

import io.hearth.doctor.model.Answer;
import io.hearth.doctor.model.FoundDataNode;
import io.hearth.doctor.model.Settings;

/** A DataNode with one thing otherwise. */
final class Nodes {

    private Nodes() {}

    static FoundDataNode settings(FoundDataNode node, Answer<Settings> settings) {
        return new FoundDataNode(
                node.host(),
                node.rack(),
                node.version(),
                settings,
                node.balanceBytesPerSecond(),
                node.balanceMoves(),
                node.somaxconn());
    }

    static FoundDataNode version(FoundDataNode node, String version) {
        return new FoundDataNode(
                node.host(),
                node.rack(),
                Answer.known(version),
                node.settings(),
                node.balanceBytesPerSecond(),
                node.balanceMoves(),
                node.somaxconn());
    }

    static FoundDataNode live(
            FoundDataNode node, Answer<Long> bandwidth, Answer<Long> moves, Answer<Integer> somaxconn) {
        return new FoundDataNode(
                node.host(), node.rack(), node.version(), node.settings(), bandwidth, moves, somaxconn);
    }
}
