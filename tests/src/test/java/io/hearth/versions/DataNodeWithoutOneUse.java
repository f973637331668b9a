// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.versions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * A DataNode's calls of the dataset that Hearth's factory makes, each time with another class, field or method of Hadoop's missing. To be
 * closed; of one thread.
 */
final class DataNodeWithoutOneUse implements AutoCloseable {

    /** Whatever of HDFS knows the dataset's classes has to be loaded with them. */
    private static final String HDFS = "org/apache/hadoop/hdfs/";

    private static final List<String> IN_THE_DATANODE = List.of("io/hearth/common/", "io/hearth/datanode/", HDFS);

    private static final Set<String> THREADS =
            Set.of("hearth-deletion-delay", "hearth-read-cache", "hearth-read-cache-watch", "hearth-read-cache-fills");

    private final Path folder;
    private final MissingUseTrials trials = new MissingUseTrials(HDFS, THREADS, this::escaped);

    /** @param folder for the volumes of the DataNodes */
    DataNodeWithoutOneUse(Path folder) throws IOException {
        this.folder = folder;
        DefaultMetricsSystem.setMiniClusterMode(true);
    }

    @Override
    public void close() {
        trials.close();
    }

    /** Tries with all, which has to go well, and then without one in so many. */
    MissingUseTrials.Result tryWithoutOneIn(int one) throws Exception {
        String datasets = HDFS + "server/datanode/fsdataset/impl/";
        return trials.tryWithoutOneIn(
                one,
                MissingUseTrials.usersByUse(
                        IN_THE_DATANODE,
                        Set.of(datasets + "HearthDatasetFactory"),
                        MissingUseTrials.usedBy(
                                List.of(DataNodeCalls.class.getName().replace('.', '/'), datasets + "FsDatasetFactory"),
                                HDFS)));
    }

    private List<String> escaped(ClassLoader loader, Set<String> users) throws Exception {
        BooleanSupplier isSaid = trials::isSaid;
        Object calls = loader.loadClass(DataNodeCalls.class.getName())
                .getConstructors()[0]
                .newInstance(Files.createTempDirectory(folder, "datanode"), isSaid);
        @SuppressWarnings("unchecked")
        List<String> escaped = ((Callable<List<String>>) calls).call();
        return escaped;
    }
}
