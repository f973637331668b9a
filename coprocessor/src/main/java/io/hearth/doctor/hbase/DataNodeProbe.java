// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.hdfs.DataNodeRpc;
import io.hearth.doctor.hdfs.HdfsProbe.DataNodeList;
import io.hearth.doctor.hdfs.HostKernel;
import io.hearth.doctor.model.HadoopKey;
import io.hearth.doctor.model.ProbedCluster.ProbeResult;
import io.hearth.doctor.model.ProbedCluster.ProbedHdfs.ProbedDataNode;
import io.hearth.doctor.model.ProbedReadCache;
import io.hearth.doctor.model.ProcessConfig;
import io.hearth.healer.hbase.HealerUser;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Asks one DataNode after another by its web UI and its RPC, each question within seconds. Thread-safe. */
final class DataNodeProbe {

    private final HealerUser user;
    private final Configuration conf;

    DataNodeProbe(HealerUser user, Configuration conf) {
        this.user = user;
        this.conf = conf;
    }

    /** A DataNode that has not answered in time. */
    static ProbedDataNode silent(DataNodeList.Node node, String why) {
        return new ProbedDataNode(
                node.host(),
                node.rack(),
                node.version().map(ProbeResult::known).orElseGet(() -> ProbeResult.unknown(why)),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why),
                ProbeResult.unknown(why));
    }

    /** What it says now. */
    ProbedDataNode probe(DataNodeList.Node node, String scheme) {
        InfoServerClient ui = InfoServerClient.at(scheme, node.address(), node.infoPort());
        ProbeResult<ProcessConfig> settings = DeletionDelayBean.asItIsNow(ui, ui.settings());
        ProbeResult<Map<String, String>> info = ui.bean(DataNodeBeans.INFO, DataNodeBeans.OF_INFO);
        ProbeResult<Long> bandwidth;
        ProbeResult<Long> moves;
        try (DataNodeRpc rpc = user.doAs(() -> DataNodeRpc.to(
                node.address(), ipcPort(node, InfoServerClient.text(info, DataNodeBeans.RPC_PORT)), conf))) {
            bandwidth = rpc.balanceBytesPerSecond();
            moves = rpc.balanceMoves(startedWith(settings));
        } catch (IOException notToBeAsked) {
            bandwidth = ProbeResult.unknown(String.valueOf(notToBeAsked.getMessage()));
            moves = ProbeResult.unknown(String.valueOf(notToBeAsked.getMessage()));
        }
        return new ProbedDataNode(
                node.host(),
                node.rack(),
                node.version()
                        .map(ProbeResult::known)
                        .orElseGet(() -> InfoServerClient.text(info, DataNodeBeans.VERSION)),
                settings,
                bandwidth,
                moves,
                HostKernel.somaxconn(node.address()),
                readCache(ui, settings),
                DataNodeBeans.metrics(ui, info, hasHearthsDataset(settings)),
                HostKernel.listenDrops(node.address()));
    }

    /** A DataNode without Hearth's dataset is not asked: there is none. */
    private static ProbeResult<ProbedReadCache> readCache(InfoServerClient ui, ProbeResult<ProcessConfig> settings) {
        return settings.ifKnown().filter(own -> !own.hasHearthsDataset()).isPresent()
                ? ProbeResult.unknown("it has not Hearth's dataset")
                : ReadCacheBean.read(ui);
    }

    private static boolean hasHearthsDataset(ProbeResult<ProcessConfig> settings) {
        return settings.ifKnown().filter(ProcessConfig::hasHearthsDataset).isPresent();
    }

    private static ProbeResult<Long> startedWith(ProbeResult<ProcessConfig> settings) {
        try {
            return settings.ifKnown()
                    .map(own -> ProbeResult.known(own.number(HadoopKey.BALANCE_MOVES)))
                    .orElseGet(() -> ProbeResult.unknown("its configuration can't be read"));
        } catch (IllegalArgumentException none) {
            return ProbeResult.unknown(String.valueOf(none.getMessage()));
        }
    }

    private static int ipcPort(DataNodeList.Node node, ProbeResult<String> told) throws IOException {
        if (node.ipcPort().isPresent()) {
            return node.ipcPort().getAsInt();
        }
        try {
            return Integer.parseInt(told.ifKnown()
                    .orElseThrow(() ->
                            new IOException("its port for clients is told to HDFS superusers and by its web UI only")));
        } catch (NumberFormatException none) {
            throw new IOException("its web UI answers what the doctor can't read", none);
        }
    }
}
