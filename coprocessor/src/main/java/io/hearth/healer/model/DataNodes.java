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
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The DataNodes that are known, each once. Immutable.
 */
public final class DataNodes {

    /** No DataNode is known. */
    public static final DataNodes NONE = of(List.of());

    private final SortedMap<DataNode.Id, DataNode> nodeById;
    // The same in no order: a plan asks for each replica of each block.
    private final Map<DataNode.Id, DataNode> lookup;
    private final Map<String, List<DataNode>> nodesByHostOrAddress = new HashMap<>();

    private DataNodes(SortedMap<DataNode.Id, DataNode> nodeById) {
        this.nodeById = nodeById;
        this.lookup = new HashMap<>(nodeById);
        nodeById.values().forEach(node -> new HashSet<>(List.of(node.host(), node.ipAddress()))
                .forEach(name -> nodesByHostOrAddress
                        .computeIfAbsent(name, unused -> new ArrayList<>())
                        .add(node)));
    }

    public static DataNodes of(Collection<DataNode> nodes) {
        SortedMap<DataNode.Id, DataNode> nodeById = new TreeMap<>();
        nodes.forEach(node -> nodeById.put(node.id(), node));
        return new DataNodes(Collections.unmodifiableSortedMap(nodeById));
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

    @Override
    public String toString() {
        return nodeById.values().toString();
    }
}
