// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.docs.PromExpression.Grouping;
import io.hearth.docs.PromExpression.Selector;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PromExpressionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a_b|a_b",
                "max(a) > 2 or max(b) >= 1.5|a b",
                "sum by (host, le) (rate(a[5m])) / on (host) group_left (rack) b|a b",
                "sum(rate(a[$__rate_interval])) without (host) == 0|a",
                "a > 0 unless a offset 1h|a a",
                "(a + b) - c * 1e3|a b c",
                "histogram_quantile(0.99, a)|a",
                "increase(a{x=\"sum(b)\"}[1h]) and c == bool 1|a c",
                "count(a)|a",
                "7|"
            })
    void theMetricsAreWhatNeitherTheLanguageNorALabelIs(String expression, String metrics) {
        assertThat(PromExpression.selectors(expression).stream().map(Selector::metric))
                .containsExactlyElementsOf(metrics == null ? List.of() : List.of(metrics.split(" ")));
    }

    /** Where series of two clusters would become one, or be paired with each other's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sum(a)|sum",
                "sum by (host) (a)|by",
                "sum by (cluster) (a)|",
                "sum by (host, cluster) (rate(a[5m])) / on (cluster,host) group_left (rack) b|",
                "max(a{x=\"(\"}) without (host)|",
                "max(a{x=\"(\"}) without (cluster, host) > 0|without",
                "max((a + b) * c) by (cluster) > 0|",
                "sum by (cluster) (max(a))|max",
                "topk(10, sum by (cluster) (a))|topk",
                "topk by (cluster) (10, a)|",
                "a / on (host) b|on",
                "a / ignoring (cluster) b|ignoring",
                "a or on () absent(b)|on absent",
                "histogram_quantile(0.9, rate(a[5m])) and b|"
            })
    void whatDropsTheClusterIsFound(String expression, String words) {
        assertThat(PromExpression.groupings(expression).stream()
                        .filter(grouping -> !grouping.keeps("cluster"))
                        .map(Grouping::word))
                .containsExactlyElementsOf(words == null ? List.of() : List.of(words.split(" ")));
    }

    @Test
    void labelsArePatterns() {
        assertThat(PromExpression.selectors("a{x=\"1.2\", y=~\"b|c\"}"))
                .containsExactly(new Selector("a", Map.of("x", "\\Q1.2\\E", "y", "b|c")));
        assertThat(new Selector("a", Map.of("x", "1", "y", "2")).without("x"))
                .isEqualTo(new Selector("a", Map.of("y", "2")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{__name__=~\"a.*\"}", "a{x!=\"1\"}", "a{x=1}", "a @ 5", "sum(a) by host", "a[5m"})
    void whatIsNotUnderstoodIsSaid(String expression) {
        assertThatThrownBy(() -> PromExpression.selectors(expression))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("Not understood at ");
    }
}
