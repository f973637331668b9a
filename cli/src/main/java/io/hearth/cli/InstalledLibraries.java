// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.cli.install.ClassFile;
import io.hearth.cli.install.ClassHierarchy;
import io.hearth.cli.install.LibraryCheck;
import io.hearth.cli.install.UsedApi;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The jars of an installed HBase, read as files: nothing in them is loaded, so the class path of the command line, where another version
 * may be, has no say. Of two jars with the same class the first counts, as on a class path. Classes of the JDK are those of this one. Not
 * thread-safe; to be closed.
 */
final class InstalledLibraries implements AutoCloseable {

    private static final String A_CLASS_OF_HBASE = "org/apache/hadoop/hbase/HConstants";
    private static final String VERSION_OF_HADOOP = "common-version-info.properties";
    private static final String UNKNOWN = "of an unknown version";

    private final List<JarFile> jars = new ArrayList<>();
    private final Map<String, JarFile> jarByEntry = new HashMap<>();
    private final Map<String, Optional<ClassFile>> known = new HashMap<>();

    private InstalledLibraries() {}

    /** @throws IOException where one of them is no jar */
    static InstalledLibraries open(List<Path> jars) throws IOException {
        InstalledLibraries libraries = new InstalledLibraries();
        try {
            for (Path jar : jars) {
                libraries.add(jar);
            }
            return libraries;
        } catch (IOException | RuntimeException failure) {
            libraries.close();
            throw failure;
        }
    }

    private void add(Path path) throws IOException {
        JarFile jar;
        try {
            jar = new JarFile(path.toFile(), false);
        } catch (IOException unreadable) {
            throw new IOException(path + " can't be read: " + unreadable.getMessage(), unreadable);
        }
        jars.add(jar);
        jar.stream()
                .map(ZipEntry::getName)
                .filter(name -> name.endsWith(".class") || name.equals(VERSION_OF_HADOOP))
                .forEach(name -> jarByEntry.putIfAbsent(name, jar));
    }

    /** The jars of a folder as {@code bin/hbase} has them: its own, then those of {@code client-facing-thirdparty} in it. */
    static List<Path> jarsOf(Path folder) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (Path one : List.of(folder, folder.resolve("client-facing-thirdparty"))) {
            if (Files.isDirectory(one)) {
                try (Stream<Path> files = Files.list(one)) {
                    files.filter(file -> file.toString().endsWith(".jar"))
                            .sorted()
                            .forEach(jars::add);
                }
            }
        }
        return jars;
    }

    /** The jars of a class path but for Hearth's own, as the JVM has it in {@code java.class.path}. */
    static List<Path> jarsOf(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .map(Path::of)
                .filter(jar -> !jar.getFileName().toString().startsWith("hearth-") && Files.isReadable(jar))
                .toList();
    }

    /** What of that which Hearth uses is not in them. */
    LibraryCheck check() throws IOException {
        return LibraryCheck.of(used(), new ClassHierarchy(this::find), hbaseVersion(), hadoopVersion());
    }

    /** Whether there are jars of HBase and of Hadoop among them; where one is not, all of it would be missing. */
    Optional<String> absent() {
        if (!jarByEntry.containsKey(A_CLASS_OF_HBASE + ".class")) {
            return Optional.of("no jar of HBase");
        }
        return jarByEntry.containsKey("org/apache/hadoop/hdfs/DFSClient.class")
                ? Optional.empty()
                : Optional.of("no jar of Hadoop's HDFS");
    }

    /** What the build found: {@link UsedApiWriter}. */
    static UsedApi used() throws IOException {
        try (InputStream list = InstalledLibraries.class.getResourceAsStream(UsedApiWriter.RESOURCE)) {
            if (list == null) {
                throw new IOException("hearth-cli.jar has no " + UsedApiWriter.RESOURCE);
            }
            return UsedApi.parse(new BufferedReader(new InputStreamReader(list, StandardCharsets.UTF_8))
                    .lines()
                    .toList());
        }
    }

    private Optional<ClassFile> find(String name) {
        return known.computeIfAbsent(name, this::read);
    }

    private Optional<ClassFile> read(String name) {
        JarFile jar = jarByEntry.get(name + ".class");
        try (InputStream bytes = jar == null
                ? ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")
                : jar.getInputStream(jar.getJarEntry(name + ".class"))) {
            return bytes == null
                    ? Optional.empty()
                    : Optional.of(ClassFile.readMembers(new BufferedInputStream(bytes)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(name + " can't be read: " + unreadable.getMessage(), unreadable);
        }
    }

    /** By the manifest of the jar that has HBase's constants. */
    String hbaseVersion() throws IOException {
        JarFile jar = jarByEntry.get(A_CLASS_OF_HBASE + ".class");
        Manifest manifest = jar == null ? null : jar.getManifest();
        String version =
                manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        return version == null ? UNKNOWN : version;
    }

    /** By the file that Hadoop itself reads. */
    String hadoopVersion() throws IOException {
        JarFile jar = jarByEntry.get(VERSION_OF_HADOOP);
        Properties properties = new Properties();
        if (jar != null) {
            try (InputStream bytes = jar.getInputStream(jar.getJarEntry(VERSION_OF_HADOOP))) {
                properties.load(bytes);
            }
        }
        return properties.getProperty("version", UNKNOWN);
    }

    @Override
    public void close() throws IOException {
        for (JarFile jar : jars) {
            jar.close();
        }
    }
}
