// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hearth.healer.core.HealerServices.DataNodeProber.Answer;
import io.hearth.healer.hdfs.HdfsAdapter;
import io.hearth.healer.model.DataNode;
import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real DataNode is asked whether it serves, by a user who is no superuser and knows it from a block's locations alone. */
class DataNodeProberIT {

    private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/hbase");

    @TempDir
    private Path folder;

    @Test
    void oneThatStopsDoesNotServeUntilItIsBack() throws Exception {
        Configuration conf = new HdfsConfiguration();
        conf.set("hdfs.minidfs.basedir", folder.toString());
        // Its default asks for the machine's own name, which the hosts file of the build's JVM does not hold.
        conf.set("hadoop.http.authentication.kerberos.principal", "HTTP/localhost@LOCALHOST");
        try (MiniDFSCluster dfs =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(ROOT, "file");
            DFSTestUtil.createFile(dfs.getFileSystem(), file, 1_000, (short) 1, 0);
            UserGroupInformation.createRemoteUser("hbase").doAs((PrivilegedExceptionAction<Void>) () -> {
                try (FileSystem fs = FileSystem.newInstance(dfs.getURI(), conf);
                        HdfsAdapter adapter = HdfsAdapter.to(fs, ROOT, conf, Runnable::run)) {
                    follow(dfs, adapter, file.toString());
                }
                return null;
            });
        }
    }

    private static void follow(MiniDFSCluster dfs, HdfsAdapter adapter, String file) throws IOException {
        assertThat(adapter.fileBlocks().locate(file).ifKnown()).isPresent();
        DataNode node = adapter.dataNodes().list().ifKnown().orElseThrow().byId().values().stream()
                .findFirst()
                .orElseThrow();
        assertThat(serves(adapter, node)).isTrue();
        DataNodeProperties stopped = dfs.stopDataNode(0);
        assertThat(serves(adapter, node)).isFalse();
        assertThat(dfs.restartDataNode(stopped, true)).isTrue();
        await("it is back").atMost(Duration.ofSeconds(30)).until(() -> serves(adapter, node));
    }

    private static boolean serves(HdfsAdapter adapter, DataNode node) {
        List<Answer> answers = adapter.prober().takeAnswers(List.of(node));
        assertThat(answers).extracting(Answer::node).containsExactly(node);
        return answers.get(0).serves();
    }
}
