// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worked example of docs/architecture.md, which adds a dimension of load, fits the files as they are, compiles, and they are all. */
class NewDimensionTest {

    private static final Path ROOT = Path.of("..");

    /** As many as one may have to touch, tests and documents among them. */
    private static final int MOST_FILES = 8;

    /** Where a dimension that is there is named for what it alone is, and a new one need not be. */
    private static final Set<String> NAMED_FOR_ITSELF =
            Set.of("balancer/src/main/java/io/hearth/balancer/heat/ingest/PlausibilityCheck.java");

    /** The lines of the example by file, each with its first character: + is new, - goes, a blank stays. */
    private static Map<String, List<String>> example() throws IOException {
        Matcher diff = Pattern.compile("## A new cost dimension\n.*?```diff\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(ROOT.resolve("docs/architecture.md")));
        assertThat(diff.find()).isTrue();
        Map<String, List<String>> linesByFile = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        for (String line : diff.group(1).split("\n")) {
            if (line.startsWith("+++ ")) {
                lines = new ArrayList<>();
                linesByFile.put(line.substring(4), lines);
            } else {
                lines.add(line);
            }
        }
        return linesByFile;
    }

    @Test
    void theExampleFitsTheFilesAsTheyAre() throws IOException {
        Map<String, List<String>> example = example();

        assertThat(example).hasSizeBetween(2, MOST_FILES);
        for (Map.Entry<String, List<String>> file : example.entrySet()) {
            String text = Files.readString(ROOT.resolve(file.getKey()));
            assertThat(file.getValue()).as("%s", file.getKey()).anyMatch(line -> line.startsWith("+"));
            for (String line : file.getValue()) {
                String code = line.substring(1).strip();
                if (line.startsWith("+")) {
                    assertThat(text).as("%s", file.getKey()).doesNotContain(code);
                } else {
                    assertThat(text).as("%s", file.getKey()).contains(code);
                }
            }
        }
    }

    /**
     * With the example's lines in their places, each file of main code that knows dimensions compiles, and the new dimension's weight can be
     * set. A switch somewhere else that lacks it would not compile.
     */
    @Test
    void withTheExampleTheCodeCompilesAndTheWeightIsRead(@TempDir Path folder) throws Exception {
        List<Path> sources = sourcesWithTheExample(folder.resolve("sources"));
        Path use = folder.resolve("FilteredReads.java");
        Files.writeString(
                use,
                """
                import io.hearth.balancer.config.BalancerConfig;
                import io.hearth.common.config.RawSettings.MapSettings;
                import io.hearth.common.model.LoadDimension;
                import java.util.Map;

                public final class FilteredReads implements java.util.function.Supplier<Object> {
                    public Object get() {
                        MapSettings site = new MapSettings(
                                Map.of("hbase.master.balancer.stochastic.filteredReadHeatCost", "500"));
                        BalancerConfig config = BalancerConfig.read("a test", site, key -> false);
                        return config.problems() + " " + config.goals().of(LoadDimension.FILTERED_READS).weight();
                    }
                }
                """);
        sources.add(use);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        String classPath = System.getProperty("java.class.path");

        StringWriter problems = new StringWriter();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        boolean compiles = compiler.getTask(
                        problems,
                        null,
                        null,
                        List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-classpath", classPath),
                        null,
                        compiler.getStandardFileManager(null, null, UTF_8).getJavaFileObjectsFromPaths(sources))
                .call();

        assertThat(compiles).as("%s", problems).isTrue();
        List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (String entry : classPath.split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Supplier<?> weight = (Supplier<?>)
                    loader.loadClass("FilteredReads").getConstructor().newInstance();
            assertThat(weight.get()).isEqualTo("[] 500.0");
        }
    }

    /** Every file of main code that names a dimension, those of the example changed. */
    private static List<Path> sourcesWithTheExample(Path folder) throws IOException {
        Map<String, List<String>> example = example();
        List<Path> sources = new ArrayList<>();
        for (String module : List.of("common", "balancer", "coprocessor", "cli", "bench")) {
            Path main = ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(main)) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(file);
                    if (text.contains("LoadDimension")) {
                        List<String> change =
                                example.getOrDefault(ROOT.relativize(file).toString(), List.of());
                        Path copy = folder.resolve(module).resolve(main.relativize(file));
                        Files.createDirectories(copy.getParent());
                        sources.add(Files.writeString(copy, applied(change, text)));
                    }
                }
            }
        }
        return sources;
    }

    /** A new line stands after the one before it in the example, in the place of one that goes. */
    private static String applied(List<String> change, String text) {
        StringBuilder changed = new StringBuilder(text);
        int at = 0;
        for (String line : change) {
            String code = line.substring(1).strip();
            if (line.startsWith("+")) {
                changed.insert(at, code + "\n");
                at += code.length() + 1;
            } else {
                int start = changed.indexOf(code);
                int end = changed.indexOf("\n", start) + 1;
                if (line.startsWith("-")) {
                    changed.delete(start, end);
                }
                at = line.startsWith("-") ? start : end;
            }
        }
        return changed.toString();
    }

    /** The memstore stands for any dimension: it is one like the others, and code that goes over all of them has no name of it. */
    @Test
    void noOtherFileNamesEachDimension() throws IOException {
        Set<String> naming = new TreeSet<>();
        for (String folder : List.of("common", "balancer", "coprocessor", "cli", "bench")) {
            Path main = ROOT.resolve(folder).resolve("src/main");
            try (Stream<Path> files = Files.walk(main)) {
                files.filter(Files::isRegularFile)
                        .filter(NewDimensionTest::namesTheMemstore)
                        .forEach(file -> naming.add(ROOT.relativize(file).toString()));
            }
        }
        naming.removeAll(NAMED_FOR_ITSELF);
        naming.removeIf(file -> file.contains("/io/hearth/bench/"));

        assertThat(example().keySet()).containsAll(naming);
        assertThat(naming).hasSizeGreaterThan(2);
    }

    private static boolean namesTheMemstore(Path file) {
        try {
            String text = Files.readString(file);
            return (text.contains("LoadDimension") && text.matches("(?s).*\\bMEMSTORE\\b.*"))
                    || Stream.of("memstoreBytes'", "memstoreHeatCost", "memstoreMaxOverMean", "withMemstore")
                            .anyMatch(text::contains);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
