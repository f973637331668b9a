// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.arch;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.arch.ClusterCalls.Call;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Test;

/** SECURITY.md says what Hearth may do: its table has every call by which the deployed class files reach beyond their JVM, and no other. */
class ClusterCallsTest {

    private static final Path PAGE = Path.of("..", "SECURITY.md");
    private static final Map<String, ClusterCalls> CALLS_BY_MODULE = Stream.of(
                    "common", "balancer", "coprocessor", "datanode", "cli")
            .collect(Collectors.toMap(
                    module -> module, module -> ClusterCalls.of(Path.of("..", module, "target", "classes"))));

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TEST_NAME = Pattern.compile("[A-Z][A-Za-z0-9]*(?:Test|IT)");

    @Test
    void thePageHasEveryCallAndNoOther() throws IOException {
        Set<String> made = new TreeSet<>();
        CALLS_BY_MODULE.forEach((module, its) -> its.calls().forEach(call -> made.add(module + " " + call.method())));
        assertThat(made).contains("coprocessor Sender.replaceBlock", "cli Admin.move");

        Set<String> told = new TreeSet<>();
        for (List<String> row : rows()) {
            for (String module : codes(row.get(0))) {
                codes(row.get(1)).forEach(call -> assertThat(told.add(module + " " + call))
                        .as("%s of %s is told once", call, module)
                        .isTrue());
            }
        }
        assertThat(told)
                .as("the calls in the table of SECURITY.md: module and method")
                .isEqualTo(made);
    }

    @Test
    void everyRowSaysWhatForByWhichRightAndWhichTestHoldsIt() throws IOException {
        Set<String> classes = classes();
        for (List<String> row : rows()) {
            assertThat(row).as(row.toString()).hasSize(5).noneMatch(String::isEmpty);
            assertThat(codes(row.get(4)))
                    .as(row.toString())
                    .isNotEmpty()
                    .allMatch(name -> TEST_NAME.matcher(name).matches())
                    .allMatch(classes::contains);
        }
        assertThat(Pattern.compile("`(" + TEST_NAME.pattern() + ")`")
                        .matcher(Files.readString(PAGE))
                        .results()
                        .map(match -> match.group(1)))
                .as("every test that the page names, in the table or not")
                .isNotEmpty()
                .allMatch(classes::contains);
    }

    /** Each writes below the one folder that it is made for: .hearth of HBase's root, or the SLO watch's. */
    @Test
    void theseClassesAloneWriteIntoHdfs() {
        assertThat(
                        callers(
                                "(?:Distributed)?FileSystem\\.(?:append|concat|create\\w*|delete\\w*|mkdirs?|rename\\w*|set\\w+|truncate|unset\\w+)"))
                .containsExactly("DataNodeProbes", "LeaseLock", "ProbeFiles", "SmallFile", "StateFileStore");
    }

    @Test
    void whatChangesRegionsOrTablesIsInTheCommandLine() {
        assertThat(callers("(?:Async)?(?:Admin|Table)\\.(?!(?:get|is|list|tableExists|scan)\\w*$)\\w+"))
                .containsExactly(
                        "CanaryKeeper",
                        "CanaryLease",
                        "CanaryTable",
                        "HealingEngine",
                        "HearthAdminService",
                        "PlanExecutor",
                        "RegionServerProbes");
        assertThat(calls("coprocessor").stream()
                        .filter(call -> call.caller().equals("HealingEngine"))
                        .map(Call::method))
                .as("the fallback, off by default")
                .containsExactly("Admin.majorCompactRegion");
    }

    @Test
    void nothingOfTheMasterOrTheDataNodesListensStartsAProcessOrEndsTheJvm() {
        assertThat(Stream.of("common", "balancer", "coprocessor", "datanode")
                        .flatMap(module -> calls(module).stream())
                        .map(Call::method))
                .noneMatch(method -> method.matches(
                        "(?:HttpServer|ServerSocket|ServerSocketChannel|ProcessBuilder|Runtime|System)\\..*"));
    }

    /** A call, a constructor, and a method that is only referred to: a rule that overlooks one of them would hold nothing. */
    @Test
    void whatReachesOutIsSeen() throws Exception {
        Path own = Path.of(getClass().getResource("ClusterCallsTest.class").toURI());

        assertThat(ClusterCalls.of(own.getParent()).calls())
                .contains(
                        new Call("Admin.disableTable", "ClusterCallsTest"),
                        new Call("Admin.deleteTable", "ClusterCallsTest"),
                        new Call("FileOutputStream.<init>", "ClusterCallsTest"),
                        new Call("Method.invoke", "ClusterCallsTest"))
                .doesNotContain(
                        new Call("Files.readString", "ClusterCallsTest"), new Call("Admin.close", "ClusterCallsTest"));
    }

    /** Never run: it is what the test above looks for. */
    @SuppressWarnings("unused")
    private static final class ReachesOut {

        interface TableAction {
            void on(TableName table) throws IOException;
        }

        static TableAction byCallAndReference(Admin admin, TableName table) throws Exception {
            try (admin) {
                admin.disableTable(table);
                new java.io.FileOutputStream("a").close();
                Admin.class.getMethod("close").invoke(admin);
                return admin::deleteTable;
            }
        }
    }

    private static Set<Call> calls(String module) {
        return Objects.requireNonNull(CALLS_BY_MODULE.get(module)).calls();
    }

    private static List<String> callers(String method) {
        return CALLS_BY_MODULE.values().stream()
                .flatMap(its -> its.calls().stream())
                .filter(call -> call.method().matches(method))
                .map(Call::caller)
                .distinct()
                .sorted()
                .toList();
    }

    /** The cells of the rows between the markers, without the head of the table. */
    private static List<List<String>> rows() throws IOException {
        String page = Files.readString(PAGE);
        String table = page.substring(page.indexOf("<!-- calls -->"), page.indexOf("<!-- end of calls -->"));
        List<List<String>> rows = new ArrayList<>();
        table.lines()
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .forEach(line -> rows.add(
                        Arrays.stream(line.substring(1, line.length() - 1).split("\\|"))
                                .map(String::strip)
                                .toList()));
        assertThat(rows).hasSizeGreaterThan(10);
        return rows;
    }

    private static List<String> codes(String cell) {
        return CODE.matcher(cell).results().map(match -> match.group(1)).toList();
    }

    private static Set<String> classes() {
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .collect(Collectors.toSet());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
