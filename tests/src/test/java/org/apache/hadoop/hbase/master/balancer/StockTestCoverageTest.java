// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hbase.master.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** Every test that HBase ships for a balancer is run with Hearth's, or is an exception with a reason that is documented. */
class StockTestCoverageTest {

    /** HBase 2.5 has no such test. */
    private static final Set<String> SINCE_HBASE_26 = Set.of(
            "TestCacheAwareLoadBalancer", "TestCacheAwareLoadBalancerCostFunctions", "TestLoadBalancerStateStore");

    private static final String PACKAGE = "org/apache/hadoop/hbase/master/balancer/";

    @Test
    void everyStockTestIsRunOrExcepted() throws IOException {
        List<String> known = new ArrayList<>(ExcludedStockTests.CLASSES.keySet());
        Stream.of(StockBalancerTest.class, StockSearchTest.class, SlowStockBalancerTest.class)
                .flatMap(list ->
                        Arrays.stream(list.getAnnotation(StockTests.class).value()))
                .forEach(stockTest -> known.add(stockTest.getSimpleName()));
        if (VersionInfo.getVersion().startsWith("2.5.")) {
            known.removeAll(SINCE_HBASE_26);
        }

        assertThat(known).containsExactlyInAnyOrderElementsOf(shipped());
    }

    private static List<String> shipped() throws IOException {
        String resource = PACKAGE + "BalancerTestBase.class";
        JarURLConnection jar = (JarURLConnection)
                BalancerTestBase.class.getClassLoader().getResource(resource).openConnection();
        return jar.getJarFile().stream()
                .map(entry -> entry.getName())
                .filter(name -> name.matches(PACKAGE + "Test[^$]*\\.class"))
                .map(name -> name.substring(PACKAGE.length(), name.length() - ".class".length()))
                .toList();
    }

    @Test
    void everyExceptionIsDocumented() {
        String page = read(Path.of("..", "CONTRIBUTING.md"));

        Stream.of(ExcludedStockTests.CLASSES, ExcludedStockTests.METHODS)
                .flatMap(exceptions -> exceptions.entrySet().stream())
                .forEach(exception -> assertThat(page.lines())
                        .as(exception.getKey())
                        .anyMatch(row -> row.contains("`" + exception.getKey() + "`")
                                && row.endsWith(" | " + exception.getValue() + " |")));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
