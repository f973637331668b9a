package io.hearth.procs;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that names a cluster by its folder. */
public final class FolderOption {

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "the cluster's folder (default: hearth-cluster-USER in the folder for temporary files)")
    private Path folder =
            Path.of(System.getProperty("java.io.tmpdir"), "hearth-cluster-" + System.getProperty("user.name"));

    public Path folder() {
        return folder.toAbsolutePath().normalize();
    }
}
