// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench.slo;

import io.hearth.slo.canary.CanaryKeyRange;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.RegionMetricsBuilder;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.ipc.FifoRpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcServer.BlockingServiceAndInterface;
import org.apache.hadoop.hbase.ipc.RpcServerFactory;
import org.apache.hadoop.hbase.ipc.RpcServerInterface;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/**
 * RegionServers that answer each get and put at once, with an HMaster and an {@code hbase:meta} that know them: HBase's RPC server and
 * protobuf messages, and nothing behind them. Each server has an address of its own below 127.1, and all of them one port. They have one
 * canary region each, and report as many regions of another table as they are told to. A client comes to know them by {@link #site}.
 * Thread-safe.
 */
final class StubRegionServers implements AutoCloseable {

    private static final TableName CANARY = TableName.valueOf("hearth_canary");
    private static final TableName ROWS = TableName.valueOf("rows");
    private static final byte[] FAMILY = Bytes.toBytes("p");
    private static final byte[] QUALIFIER = Bytes.toBytes("probe");
    private static final byte[] VALUE = Bytes.toBytes("hearth slo probe");
    private static final String CLUSTER_ID = "stub";
    private static final String LOCAL = "127.0.0.1";
    private static final int SERVERS_PER_NET = 250;
    private static final int HANDLERS = 4;
    private static final int MOST_WAITING = 100_000;
    private static final long START_CODE = 1_795_953_600_000L;

    private final RpcServerInterface rpc;
    private final int port;
    private final LongAdder gets = new LongAdder();
    private final LongAdder puts = new LongAdder();
    private final Map<byte[], ClientProtos.Result> metaRows =
            new TreeMap<>(MetaCellComparator.META_COMPARATOR::compareRows);
    private final ClusterStatusProtos.ClusterStatus names;
    private final ClusterStatusProtos.ClusterStatus all;

    private StubRegionServers(int servers, int regionsPerServer) throws IOException {
        Configuration conf = new Configuration(false);
        // One queue for all servers: by default it refuses what comes while ten requests wait for each handler.
        conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, MOST_WAITING);
        rpc = RpcServerFactory.createRpcServer(
                null,
                "stub",
                services(),
                new InetSocketAddress("0.0.0.0", 0),
                conf,
                new FifoRpcScheduler(conf, HANDLERS));
        port = rpc.getListenerAddress().getPort();
        List<RegionInfo> canaries = canaries(servers);
        Map<ServerName, ServerMetrics> live = new TreeMap<>();
        for (int number = 0; number < servers; number++) {
            ServerName server = server(number);
            putInMeta(canaries.get(number), server);
            live.put(server, metrics(server, number, regionsPerServer, canaries.get(number)));
        }
        ServerName master = ServerName.valueOf(LOCAL, port, START_CODE);
        names = status(
                ClusterMetricsBuilder.newBuilder().setMasterName(master).setServerNames(List.copyOf(live.keySet())));
        all = status(ClusterMetricsBuilder.newBuilder().setMasterName(master).setLiveServerMetrics(live));
    }

    /**
     * Starts so many servers.
     *
     * @param regionsPerServer that each reports, besides its canary region
     */
    static StubRegionServers start(int servers, int regionsPerServer) throws IOException {
        StubRegionServers stub = new StubRegionServers(servers, regionsPerServer);
        stub.rpc.start();
        return stub;
    }

    private ServerName server(int number) {
        return ServerName.valueOf(
                "127.1." + number / SERVERS_PER_NET + "." + (number % SERVERS_PER_NET + 1), port, START_CODE);
    }

    /** What a client has to have in its {@code hbase-site.xml}. */
    Map<String, String> site() {
        return Map.of(
                "hbase.client.registry.impl",
                "org.apache.hadoop.hbase.client.RpcConnectionRegistry",
                "hbase.client.bootstrap.servers",
                LOCAL + ":" + port);
    }

    /** Gets and puts that were answered since the start. */
    long answered() {
        return gets.sum() + puts.sum();
    }

    private static List<RegionInfo> canaries(int servers) {
        List<String> keys = new ArrayList<>(List.of(""));
        keys.addAll(CanaryKeyRange.splitKeys(servers));
        keys.add("");
        List<RegionInfo> regions = new ArrayList<>();
        for (int number = 0; number < servers; number++) {
            regions.add(RegionInfoBuilder.newBuilder(CANARY)
                    .setStartKey(Bytes.toBytes(keys.get(number)))
                    .setEndKey(Bytes.toBytes(keys.get(number + 1)))
                    .setRegionId(1)
                    .build());
        }
        return regions;
    }

    private void putInMeta(RegionInfo region, ServerName server) throws IOException {
        Put put = MetaTableAccessor.makePutFromRegionInfo(region, 1);
        MetaTableAccessor.addLocation(put, server, 1, RegionInfo.DEFAULT_REPLICA_ID);
        List<Cell> cells = new ArrayList<>();
        put.getFamilyCellMap().values().forEach(cells::addAll);
        cells.sort(CellComparator.getInstance());
        metaRows.put(region.getRegionName(), ProtobufUtil.toResult(Result.create(cells)));
    }

    private static ServerMetrics metrics(ServerName server, int number, int regions, RegionInfo canary) {
        List<RegionMetrics> all = new ArrayList<>();
        all.add(RegionMetricsBuilder.newBuilder(canary.getRegionName()).build());
        for (int region = 0; region < regions; region++) {
            RegionInfo info = RegionInfoBuilder.newBuilder(ROWS)
                    .setStartKey(Bytes.toBytes(String.format("%08d", number * regions + region)))
                    .setRegionId(1)
                    .build();
            all.add(RegionMetricsBuilder.newBuilder(info.getRegionName())
                    .setReadRequestCount(region)
                    .setCompletedSequenceId(region)
                    .build());
        }
        return ServerMetricsBuilder.newBuilder(server).setRegionMetrics(all).build();
    }

    private static ClusterStatusProtos.ClusterStatus status(ClusterMetricsBuilder metrics) {
        ClusterMetrics built =
                metrics.setClusterId(CLUSTER_ID).setHBaseVersion("stub").build();
        return ClusterMetricsBuilder.toClusterStatus(built);
    }

    private List<BlockingServiceAndInterface> services() {
        ClientService.BlockingInterface client = answering(
                ClientService.BlockingInterface.class,
                Map.of(
                        "get", request -> get(),
                        "mutate", request -> mutate(),
                        "scan", request -> scan((ClientProtos.ScanRequest) request)));
        ClientMetaService.BlockingInterface registry = answering(
                ClientMetaService.BlockingInterface.class,
                Map.of(
                        "getClusterId",
                                request -> RegistryProtos.GetClusterIdResponse.newBuilder()
                                        .setClusterId(CLUSTER_ID)
                                        .build(),
                        "getActiveMaster",
                                request -> RegistryProtos.GetActiveMasterResponse.newBuilder()
                                        .setServerName(local())
                                        .build(),
                        "getMetaRegionLocations", request -> metaLocation(),
                        "getBootstrapNodes",
                                request -> RegistryProtos.GetBootstrapNodesResponse.newBuilder()
                                        .addServerName(local())
                                        .build()));
        MasterService.BlockingInterface master = answering(
                MasterService.BlockingInterface.class,
                Map.of(
                        "isMasterRunning",
                                request -> MasterProtos.IsMasterRunningResponse.newBuilder()
                                        .setIsMasterRunning(true)
                                        .build(),
                        "getClusterStatus", request -> status((MasterProtos.GetClusterStatusRequest) request),
                        "getTableDescriptors", request -> descriptors(),
                        "listDecommissionedRegionServers",
                                request -> MasterProtos.ListDecommissionedRegionServersResponse.getDefaultInstance()));
        return List.of(
                new BlockingServiceAndInterface(
                        ClientService.newReflectiveBlockingService(client), ClientService.BlockingInterface.class),
                new BlockingServiceAndInterface(
                        ClientMetaService.newReflectiveBlockingService(registry),
                        ClientMetaService.BlockingInterface.class),
                new BlockingServiceAndInterface(
                        MasterService.newReflectiveBlockingService(master), MasterService.BlockingInterface.class));
    }

    /** A service that knows these methods, by name; whoever calls another is told. */
    private static <T> T answering(Class<T> type, Map<String, Function<Object, Object>> answers) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Function<Object, Object> answer = answers.get(method.getName());
                    if (answer != null) {
                        return answer.apply(arguments[1]);
                    }
                    throw new ServiceException(
                            method.getName().equals("execMasterService")
                                    ? new UnknownProtocolException("no Hearth here")
                                    : new DoNotRetryIOException("a stub has no " + method.getName()));
                }));
    }

    private HBaseProtos.ServerName local() {
        return ProtobufUtil.toServerName(ServerName.valueOf(LOCAL, port, START_CODE));
    }

    private RegistryProtos.GetMetaRegionLocationsResponse metaLocation() {
        return RegistryProtos.GetMetaRegionLocationsResponse.newBuilder()
                .addMetaLocations(HBaseProtos.RegionLocation.newBuilder()
                        .setRegionInfo(ProtobufUtil.toRegionInfo(RegionInfoBuilder.FIRST_META_REGIONINFO))
                        .setServerName(local())
                        .setSeqNum(1))
                .build();
    }

    private ClientProtos.GetResponse get() {
        gets.increment();
        return ClientProtos.GetResponse.newBuilder().setResult(PROBED).build();
    }

    private static final ClientProtos.Result PROBED = ClientProtos.Result.newBuilder()
            .addCell(ProtobufUtil.toCell(
                    ExtendedCellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
                            .setRow(new byte[] {0})
                            .setFamily(FAMILY)
                            .setQualifier(QUALIFIER)
                            .setTimestamp(1)
                            .setType(Cell.Type.Put)
                            .setValue(VALUE)
                            .build(),
                    false))
            .build();

    private ClientProtos.MutateResponse mutate() {
        puts.increment();
        return ClientProtos.MutateResponse.newBuilder().setProcessed(true).build();
    }

    private ClientProtos.ScanResponse scan(ClientProtos.ScanRequest request) {
        ClientProtos.ScanResponse.Builder answer =
                ClientProtos.ScanResponse.newBuilder().setMoreResults(false).setMoreResultsInRegion(false);
        if (request.hasScan()) {
            rows(request).forEach(answer::addResults);
        }
        return answer.build();
    }

    /** Those of {@code hbase:meta} that the scan is of, at most as many as it wants at a time. */
    private List<ClientProtos.Result> rows(ClientProtos.ScanRequest request) {
        Scan scan;
        try {
            scan = ProtobufUtil.toScan(request.getScan());
        } catch (IOException malformed) {
            throw new IllegalArgumentException(malformed);
        }
        TreeMap<byte[], ClientProtos.Result> sorted = new TreeMap<>(MetaCellComparator.META_COMPARATOR::compareRows);
        sorted.putAll(metaRows);
        var ordered = scan.isReversed() ? sorted.descendingMap() : sorted;
        if (scan.getStartRow().length > 0) {
            ordered = ordered.tailMap(scan.getStartRow(), scan.includeStartRow());
        }
        if (scan.getStopRow().length > 0) {
            ordered = ordered.headMap(scan.getStopRow(), scan.includeStopRow());
        }
        long most = scan.isReversed() ? request.getNumberOfRows() : Long.MAX_VALUE;
        return ordered.values().stream().limit(most).toList();
    }

    private MasterProtos.GetClusterStatusResponse status(MasterProtos.GetClusterStatusRequest request) {
        return MasterProtos.GetClusterStatusResponse.newBuilder()
                .setClusterStatus(
                        request.getOptionsList().contains(ClusterStatusProtos.Option.LIVE_SERVERS) ? all : names)
                .build();
    }

    private static MasterProtos.GetTableDescriptorsResponse descriptors() {
        return MasterProtos.GetTableDescriptorsResponse.newBuilder()
                .addTableSchema(ProtobufUtil.toTableSchema(TableDescriptorBuilder.newBuilder(CANARY)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                        .setValue("HEARTH_CANARY", "true")
                        .build()))
                .build();
    }

    @Override
    public void close() {
        rpc.stop();
    }
}
