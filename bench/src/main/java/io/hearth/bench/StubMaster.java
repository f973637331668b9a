// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.RegionState.State;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;
import org.jspecify.annotations.Nullable;

/** A master as its balancer sees it: a configuration, tables, and HBase's own region states, which say who serves what. Not thread-safe. */
public final class StubMaster {

    private static final int PORT = 16000;

    private final Configuration site;
    private final Map<TableName, TableDescriptor> tables;
    private final long startCode;
    private final MasterServices services;
    private final AssignmentManager assignments;

    private interface Answer {
        @Nullable Object to(String method, Class<?> type, Object @Nullable [] arguments);
    }

    /** @param tables those that have a descriptor; of others nobody asks where their blocks are */
    public StubMaster(Configuration site, Map<TableName, TableDescriptor> tables, long startCode) {
        this.site = site;
        this.tables = tables;
        this.startCode = startCode;
        services = answering(MasterServices.class, (method, type, arguments) -> answer(method, type));
        assignments = new AssignmentManager(services, null);
    }

    /** Has this region open on this server; counters of another opening go by the number. */
    public void opened(RegionInfo region, ServerName server, long openSeqNum) {
        RegionStateNode node = assignments.getRegionStates().getOrCreateRegionStateNode(region);
        node.setState(State.OPEN);
        node.setRegionLocation(server);
        node.setOpenSeqNum(openSeqNum);
    }

    /** What a balancer is given. */
    public MasterServices services() {
        return services;
    }

    private @Nullable Object answer(String method, Class<?> type) {
        return switch (method) {
            case "getConfiguration" -> site;
            case "getAssignmentManager" -> assignments;
            case "getServerName" -> ServerName.valueOf("master.example.org", PORT, startCode);
            case "getTableDescriptors" -> answering(TableDescriptors.class, this::descriptors);
            case "toString" -> "master";
            default -> nothing(type);
        };
    }

    private @Nullable Object descriptors(String method, Class<?> type, Object @Nullable [] arguments) {
        if (method.equals("get") && arguments != null) {
            return tables.get((TableName) arguments[0]);
        }
        if (method.equals("getAll")) {
            return tables.values().stream()
                    .collect(Collectors.toMap(table -> table.getTableName().getNameAsString(), table -> table));
        }
        return nothing(type);
    }

    private static @Nullable Object nothing(Class<?> type) {
        if (type == Map.class) {
            return Map.of();
        }
        return type == boolean.class ? (Object) false : type == int.class ? (Object) 0 : null;
    }

    private static <T> T answering(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.to(method.getName(), method.getReturnType(), arguments)));
    }
}
