// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.install.ClassFile;
import io.hearth.cli.install.ClassFile.Use;
import io.hearth.cli.install.ClassFile.UseKind;
import io.hearth.cli.install.ClassHierarchy;
import io.hearth.cli.install.UsedApi;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Writes what Hearth's classes use of HBase and Hadoop into a file of this jar. The build runs it once the classes are compiled; nothing
 * runs it later. The same classes give the same bytes.
 */
public final class UsedApiWriter {

    /** Where {@link InstalledLibraries} finds the file. */
    static final String RESOURCE = "/io/hearth/cli/install/used-api.txt";

    /** One class of each module whose classes are read: what is deployed, and the command line. */
    private static final List<String> A_CLASS_OF_EACH_MODULE = List.of(
            "io/hearth/common/config/Setting.class",
            "io/hearth/balancer/HearthLoadBalancer.class",
            "io/hearth/healer/hbase/LocalityHealingObserver.class",
            "io/hearth/datanode/config/DataNodeSettings.class",
            "io/hearth/cli/Main.class");

    private static final String BALANCERS = "org/apache/hadoop/hbase/master/balancer/";

    /** By the field, the class of Hearth's that has its name as a text. The second is HBase 3's. */
    private static final Map<Use, String> USER_BY_REFLECTED_FIELD = Map.of(
            new Use(UseKind.REFLECTED_FIELD, BALANCERS + "StochasticLoadBalancer", "costFunctions", "Ljava/util/List;"),
            BALANCERS + "StockCosts",
            new Use(
                    UseKind.REFLECTED_FIELD,
                    BALANCERS + "MasterClusterInfoProvider",
                    "services",
                    "Lorg/apache/hadoop/hbase/master/MasterServices;"),
            BALANCERS + "HBaseBalancerCompat");

    private UsedApiWriter() {}

    /** Takes the folder of this module's classes, the version of HBase, and the version of Hadoop. */
    public static void main(String[] arguments) throws IOException, URISyntaxException {
        Path file = Path.of(arguments[0] + RESOURCE);
        Files.createDirectories(file.getParent());
        Files.write(file, usedApi(arguments[1], arguments[2]).lines());
    }

    private static UsedApi usedApi(String hbaseVersion, String hadoopVersion) throws IOException, URISyntaxException {
        ClassLoader loader = UsedApiWriter.class.getClassLoader();
        Map<String, Optional<ClassFile>> known = new HashMap<>();
        for (String one : A_CLASS_OF_EACH_MODULE) {
            URL url = loader.getResource(one);
            if (url == null) {
                throw new IOException(one + " is not on the class path");
            }
            for (ClassFile file : classesBeside(url.toURI(), one)) {
                known.put(file.name(), Optional.of(file));
            }
        }
        List<ClassFile> own = known.values().stream().flatMap(Optional::stream).toList();
        ClassHierarchy hierarchy =
                new ClassHierarchy(name -> known.computeIfAbsent(name, other -> compiledWith(loader, other)));
        return UsedApi.of(hbaseVersion, hadoopVersion, own, USER_BY_REFLECTED_FIELD, hierarchy);
    }

    /** The classes of the folder, or the jar, that this one is in: a module that was packaged before has a jar. */
    private static List<ClassFile> classesBeside(URI url, String name) throws IOException {
        if (!url.getScheme().equals("jar")) {
            return classesBelow(
                    Path.of(url).resolve("../".repeat(name.split("/").length)).normalize());
        }
        try (FileSystem jar = FileSystems.newFileSystem(url, Map.of())) {
            return classesBelow(jar.getPath("/"));
        }
    }

    private static List<ClassFile> classesBelow(Path folder) throws IOException {
        List<ClassFile> classes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".class"))
                    .sorted()
                    .toList()) {
                try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file))) {
                    classes.add(ClassFile.read(bytes));
                }
            }
        }
        return classes;
    }

    private static Optional<ClassFile> compiledWith(ClassLoader loader, String name) {
        try (InputStream bytes = loader.getResourceAsStream(name + ".class")) {
            return bytes == null
                    ? Optional.empty()
                    : Optional.of(ClassFile.readMembers(new BufferedInputStream(bytes)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
