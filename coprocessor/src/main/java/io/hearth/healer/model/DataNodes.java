// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The DataNodes that are known, each once: by the NameNode's report of those that live, or, where it gives none, by the locations of blocks,
 * which go on naming one that has died since until somebody asks for a block that it had. Immutable.
 */
public final class DataNodes {

    /** No DataNode is known. */
    public static final DataNodes NONE = of(List.of());

    private final SortedMap<DataNode.Id, DataNode> nodeById;
    // The same in no order: a plan asks for each replica of each block.
    private final Map<DataNode.Id, DataNode> lookup;
    private final Map<String, List<DataNode>> nodesByHostOrAddress = new HashMap<>();
    /** Empty for a report. */
    private final Optional<Map<DataNode.Id, Long>> mentionedAgoMs;

    private DataNodes(SortedMap<DataNode.Id, DataNode> nodeById, Optional<Map<DataNode.Id, Long>> mentionedAgoMs) {
        this.nodeById = nodeById;
        this.mentionedAgoMs = mentionedAgoMs;
        this.lookup = new HashMap<>(nodeById);
        nodeById.values().forEach(node -> new HashSet<>(List.of(node.host(), node.ipAddress()))
                .forEach(name -> nodesByHostOrAddress
                        .computeIfAbsent(name, unused -> new ArrayList<>())
                        .add(node)));
    }

    /** Those of the NameNode's report. */
    public static DataNodes of(Collection<DataNode> nodes) {
        return new DataNodes(byId(nodes), Optional.empty());
    }

    /**
     * Those that were met in the locations of blocks.
     *
     * @param mentionedAgoMs how long ago the NameNode last named each, in milliseconds
     */
    public static DataNodes met(Map<DataNode, Long> mentionedAgoMs) {
        Map<DataNode.Id, Long> agoMsById = new HashMap<>();
        mentionedAgoMs.forEach((node, agoMs) -> agoMsById.put(node.id(), agoMs));
        return new DataNodes(byId(mentionedAgoMs.keySet()), Optional.of(agoMsById));
    }

    /** The same DataNodes, each after this change, which leaves its id as it is. */
    public DataNodes with(UnaryOperator<DataNode> change) {
        return new DataNodes(byId(nodeById.values().stream().map(change).toList()), mentionedAgoMs);
    }

    private static SortedMap<DataNode.Id, DataNode> byId(Collection<DataNode> nodes) {
        SortedMap<DataNode.Id, DataNode> nodeById = new TreeMap<>();
        nodes.forEach(node -> nodeById.put(node.id(), node));
        return Collections.unmodifiableSortedMap(nodeById);
    }

    /** The DataNodes on this host, in the order of their ids; none where nobody knows of one. */
    public List<DataNode> on(String hostOrAddress) {
        return Collections.unmodifiableList(
                nodesByHostOrAddress.getOrDefault(hostOrAddress.toLowerCase(Locale.ROOT), List.of()));
    }

    /** The same DataNode as it is known here, or as it was given where it is not known. */
    public DataNode latest(DataNode node) {
        return lookup.getOrDefault(node.id(), node);
    }

    public Map<DataNode.Id, DataNode> byId() {
        return nodeById;
    }

    /** Whether the NameNode has named it less than so many milliseconds ago: in its report, or as one that holds a block. */
    public boolean wasMentionedWithin(DataNode.Id id, long ms) {
        return lookup.containsKey(id)
                && mentionedAgoMs
                        .map(agoMs -> Objects.requireNonNull(agoMs.get(id)) < ms)
                        .orElse(true);
    }

    /** Whether it is the NameNode's report: of one that is not in it nothing was heard. */
    public boolean isReport() {
        return mentionedAgoMs.isEmpty();
    }

    @Override
    public String toString() {
        return nodeById.values().toString();
    }
}
