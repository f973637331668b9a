// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.cli.install.ClassFile.Use;
import io.hearth.cli.install.ClassFile.UseKind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A library in two versions, and a class of Hearth's that was compiled with the first: what is said of the second. */
class LibraryCheckTest {

    private static final String LIBRARY =
            """
            package org.apache.hadoop.lib;
            public class Lib {
                public static class Base {
                    protected long size;
                    private int hidden;
                    public void go(String to, int[][] times) {}
                    public static void help() {}
                }
                public static class Sub extends Base {}
                public interface Listener { void told(byte[] what); default void ended() {} }
                public interface Check { boolean isDone(Object what); }
                public static void register(Listener listener) {}
                public static boolean ask(Check check) { return true; }
            }
            """;

    private static final String HEARTHS =
            """
            package io.hearth.healer;
            import org.apache.hadoop.lib.Lib;
            public class Own extends Lib.Sub implements Lib.Listener {
                @Override public void told(byte[] what) {
                    size = what.length;
                    go("there", new int[0][]);
                    Lib.register(this);
                    Runnable later = Lib.Sub::help;
                    if (Lib.ask(done -> done == later)) { new Lib.Sub(); }
                }
                @Override public void ended() {}
            }
            """;

    @TempDir
    private static Path folder;

    private static UsedApi used;
    private static int compiled;

    private static Map<String, byte[]> compile(String kind, List<Path> classPath, String file, String source)
            throws IOException {
        String name = kind + compiled++;
        Path sources = Files.createDirectories(folder.resolve(name + "-source"));
        Path classes = Files.createDirectories(folder.resolve(name));
        Path java = Files.writeString(sources.resolve(file), source);
        List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), java.toString()));
        classPath.forEach(entry -> arguments.addAll(0, List.of("-cp", entry.toString())));
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(code).as("javac of %s", source).isZero();
        Map<String, byte[]> bytesByName = new HashMap<>();
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path one : files.filter(Files::isRegularFile).toList()) {
                bytesByName.put(classes.relativize(one).toString().replace(".class", ""), Files.readAllBytes(one));
            }
        }
        return bytesByName;
    }

    private static ClassHierarchy hierarchy(Map<String, byte[]> classes) {
        return new ClassHierarchy(name -> {
            try (InputStream bytes = classes.containsKey(name)
                    ? new ByteArrayInputStream(classes.get(name))
                    : ClassLoader.getPlatformClassLoader().getResourceAsStream(name + ".class")) {
                return bytes == null ? Optional.empty() : Optional.of(ClassFile.read(bytes));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }

    @BeforeAll
    static void compileHearthWithTheFirst() throws IOException {
        Map<String, byte[]> all = new HashMap<>(compile("first", List.of(), "Lib.java", LIBRARY));
        all.putAll(compile("own", List.of(folder.resolve("first0")), "Own.java", HEARTHS));
        ClassHierarchy hierarchy = hierarchy(all);
        used = UsedApi.of(
                "2.6.4",
                "3.4.3",
                List.of(hierarchy.find("io/hearth/healer/Own").orElseThrow()),
                Map.of(
                        reflected("hidden"),
                        "io/hearth/healer/Own",
                        reflected("ofAnotherHBase"),
                        "io/hearth/healer/Own"),
                hierarchy);
    }

    private static Use reflected(String field) {
        return new Use(UseKind.REFLECTED_FIELD, "org/apache/hadoop/lib/Lib$Base", field, "I");
    }

    private LibraryCheck check(String library) throws IOException {
        return LibraryCheck.of(used, hierarchy(compile("second", List.of(), "Lib.java", library)), "2.5.13", "3.3.6");
    }

    @Test
    void allThatIsUsedIsListedWithItsUser() {
        assertThat(UsedApi.parse(used.lines()))
                .as("what is written and read again")
                .isEqualTo(used);
        assertThat(used.lines())
                .startsWith("hbase 2.6.4", "hadoop 3.4.3")
                .contains(
                        "field org/apache/hadoop/lib/Lib$Sub size J io/hearth/healer/Own",
                        "reflected_field org/apache/hadoop/lib/Lib$Base hidden I io/hearth/healer/Own",
                        "method org/apache/hadoop/lib/Lib$Sub go (Ljava/lang/String;[[I)V io/hearth/healer/Own",
                        "method org/apache/hadoop/lib/Lib register (Lorg/apache/hadoop/lib/Lib$Listener;)V io/hearth/healer/Own",
                        "override org/apache/hadoop/lib/Lib$Listener told ([B)V io/hearth/healer/Own",
                        "override org/apache/hadoop/lib/Lib$Listener ended ()V io/hearth/healer/Own",
                        "override org/apache/hadoop/lib/Lib$Check isDone (Ljava/lang/Object;)Z io/hearth/healer/Own",
                        "supertype org/apache/hadoop/lib/Lib$Sub - - io/hearth/healer/Own")
                .noneMatch(line -> line.contains(" java/"))
                .noneMatch(line -> line.contains("ofAnotherHBase"));
    }

    @Test
    void theSameLibraryHasAll() throws IOException {
        LibraryCheck check = check(LIBRARY);

        assertThat(check.isClear()).isTrue();
        assertThat(check.lines())
                .containsExactly(
                        "HBase 2.5.13 and Hadoop 3.3.6 have all " + check.used()
                                + " classes, methods and fields that Hearth uses. It was built for HBase 2.6.4 and Hadoop 3.4.3.");
    }

    @Test
    void whatIsMissingIsNamedWithItsUserAndBothVersions() throws IOException {
        LibraryCheck check = check(LIBRARY.replace("protected long size;", "protected int size;"));

        assertThat(check.isClear()).isFalse();
        assertThat(check.lines())
                .containsExactly(
                        "HBase 2.5.13 and Hadoop 3.3.6 lack 1 of " + check.used()
                                + " classes, methods and fields that Hearth uses. It was built for HBase 2.6.4 and Hadoop 3.4.3.",
                        "  field org.apache.hadoop.lib.Lib.Sub.size: long (healer: Own)");
    }

    /** Before, after, and what is found; with nothing, the JVM would find the member in another place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "public void go(String to, int[][] times) {} | | method org.apache.hadoop.lib.Lib.Sub.go(String, int[][]): void",
                "class Sub extends Base {} | class Sub extends Base { protected long size; } |",
                "private int hidden; | protected int hidden; |",
                "private int hidden; | private long hidden; | field org.apache.hadoop.lib.Lib.Base.hidden: int",
                "public void go(String | void go(String |"
                        + " method org.apache.hadoop.lib.Lib.Sub.go(String, int[][]): void is not open to Hearth there",
                "class Sub extends Base {} | class Sub extends Base { private Sub() {} } |"
                        + " constructor org.apache.hadoop.lib.Lib.Sub() is not open to Hearth there",
                "public static class Sub extends Base {} | static class Sub extends Base { public Sub() {} } |"
                        + " class org.apache.hadoop.lib.Lib.Sub is not public there",
                "public static class Sub | public static final class Sub | class org.apache.hadoop.lib.Lib.Sub is final there",
                "public static void help() {} | | method org.apache.hadoop.lib.Lib.Base.help(): void",
                "void told(byte[] what); | void told(byte[] what); int count(); |"
                        + " method org.apache.hadoop.lib.Lib.Listener.count(): int is abstract there, and Hearth does not implement it",
                "default void ended() {} | |"
                        + " method org.apache.hadoop.lib.Lib.Listener.ended(): void is not called there",
                "boolean isDone(Object what); | boolean isDone(String what); |"
                        + " method org.apache.hadoop.lib.Lib.Check.isDone(Object): boolean is not called there",
            })
    void oneDifferenceIsOneFinding(String before, String after, String finding) throws IOException {
        LibraryCheck check = check(LIBRARY.replace(before, after == null ? "" : after));

        assertThat(check.missing().stream().map(LibraryCheck.Missing::what))
                .isEqualTo(finding == null ? List.of() : List.of(finding));
    }

    @Test
    void aClassThatIsNotThereIsNamedOnceAndItsMembersAreNot() throws IOException {
        Map<String, byte[]> second = compile("second", List.of(), "Lib.java", LIBRARY);
        second.remove("org/apache/hadoop/lib/Lib$Base");

        assertThat(LibraryCheck.of(used, hierarchy(second), "2.5.13", "3.3.6").missing().stream()
                        .map(LibraryCheck.Missing::what))
                .containsExactly("class org.apache.hadoop.lib.Lib.Base");
    }

    @Test
    void whatOnlyTheDataNodesJarLacksStopsNothingElse() throws IOException {
        UsedApi ofDataNode = new UsedApi(
                "2.6.4",
                "3.4.3",
                new TreeMap<>(Map.of(
                        Use.ofClass(UseKind.CLASS, "org/apache/hadoop/lib/Gone"),
                        new TreeSet<>(List.of("io/hearth/datanode/cache/SsdCache$Page")))));

        LibraryCheck check = LibraryCheck.of(ofDataNode, hierarchy(Map.of()), "2.5.13", "3.3.6");

        assertThat(check.isClear()).isTrue();
        assertThat(check.lines())
                .containsExactly(
                        "HBase 2.5.13 and Hadoop 3.3.6 lack 1 of 1 classes, methods and fields that Hearth uses. It was built for HBase"
                                + " 2.6.4 and Hadoop 3.4.3.",
                        "For hearth-datanode.jar alone, which is optional:",
                        "  class org.apache.hadoop.lib.Gone (DataNode's jar: SsdCache)");
    }
}
