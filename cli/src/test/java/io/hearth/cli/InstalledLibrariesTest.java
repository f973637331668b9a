// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.cli.install.LibraryCheck;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The jars that these tests run with, and the same where a member is taken out of one. */
class InstalledLibrariesTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path folder;

    /** Before HBase's own jar: of two jars with a class the first counts. */
    private Path jarWithout(String internalName, String method) throws IOException {
        Path jar = folder.resolve("a-changed.jar");
        try (InputStream in = getClass().getClassLoader().getResourceAsStream(internalName + ".class");
                JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            ClassWriter writer = new ClassWriter(0);
            new ClassReader(in)
                    .accept(
                            new ClassVisitor(Opcodes.ASM9, writer) {
                                @Override
                                public MethodVisitor visitMethod(
                                        int access,
                                        String name,
                                        String descriptor,
                                        String signature,
                                        String[] exceptions) {
                                    return name.equals(method)
                                            ? null
                                            : super.visitMethod(access, name, descriptor, signature, exceptions);
                                }
                            },
                            0);
            out.putNextEntry(new JarEntry(internalName + ".class"));
            out.write(writer.toByteArray());
            out.closeEntry();
        }
        return jar;
    }

    private static LibraryCheck check(List<Path> jars) throws IOException {
        try (InstalledLibraries installed = InstalledLibraries.open(jars)) {
            assertThat(installed.absent()).isEmpty();
            return installed.check();
        }
    }

    @Test
    void whatHearthIsBuiltWithHasAll() throws IOException {
        LibraryCheck check = check(InstalledLibraries.jarsOf(CLASS_PATH));

        assertThat(check.missing()).isEmpty();
        assertThat(check.used()).isGreaterThan(1_000);
        assertThat(check.lines())
                .containsExactly("HBase " + check.builtForHBase() + " and Hadoop " + VersionInfo.getVersion()
                        + " have all " + check.used()
                        + " classes, methods and fields that Hearth uses. It was built for HBase "
                        + check.builtForHBase() + " and Hadoop " + VersionInfo.getVersion() + ".");
    }

    @Test
    void aMethodThatIsTakenOutIsNamedWithWhoNeedsIt() throws IOException {
        List<Path> jars = new ArrayList<>();
        jars.add(jarWithout("org/apache/hadoop/hbase/master/assignment/RegionStates", "getRegionStateNodes"));
        jars.addAll(InstalledLibraries.jarsOf(CLASS_PATH));

        LibraryCheck check = check(jars);

        assertThat(check.isClear()).isFalse();
        assertThat(check.lines())
                .hasSize(2)
                .last()
                .isEqualTo("  method org.apache.hadoop.hbase.master.assignment.RegionStates.getRegionStateNodes():"
                        + " java.util.Collection (balancer: OpenSeqNums; healer: MasterAssignments, MasterRegions)");
    }

    @Test
    void aFolderIsReadAsHBaseHasIt() throws IOException {
        Path lib = Files.createDirectories(folder.resolve("lib/client-facing-thirdparty"))
                .getParent();
        for (String name : List.of("b.jar", "a.jar", "notes.txt", "client-facing-thirdparty/c.jar")) {
            Files.createFile(lib.resolve(name));
        }

        assertThat(InstalledLibraries.jarsOf(lib))
                .containsExactly(
                        lib.resolve("a.jar"), lib.resolve("b.jar"), lib.resolve("client-facing-thirdparty/c.jar"));
        assertThatThrownBy(() -> InstalledLibraries.open(List.of(lib.resolve("a.jar"))))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(lib.resolve("a.jar") + " can't be read: ");
    }

    @Test
    void withoutHBaseOrHadoopNotEverythingIsMissing() throws IOException {
        try (InstalledLibraries none = InstalledLibraries.open(List.of())) {
            assertThat(none.absent()).contains("no jar of HBase");
        }
        List<Path> hbase = InstalledLibraries.jarsOf(CLASS_PATH).stream()
                .filter(jar -> jar.toString().contains("hbase-common"))
                .toList();
        try (InstalledLibraries alone = InstalledLibraries.open(hbase)) {
            assertThat(alone.absent()).contains("no jar of Hadoop's HDFS");
        }
    }
}
