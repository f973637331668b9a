// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.heat.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportOrderTest {

    private final ReportOrder<String, String, String> order =
            new ReportOrder<>((kept, name) -> kept.equals(name.toUpperCase(Locale.ROOT)));

    @BeforeEach
    void aReport() {
        order.put("server", List.of("A", "B", "C", "D"));
    }

    private String found(String names) {
        ReportOrder<String, String, String>.Cursor cursor = order.of("server");
        StringBuilder found = new StringBuilder();
        for (String name : names.split("")) {
            String kept = cursor.find(name);
            found.append(kept == null ? "-" : kept);
        }
        return found.toString();
    }

    @Test
    void theSameRegionsAreFoundOneAfterAnother() {
        assertThat(found("abcd")).isEqualTo("ABCD");
    }

    @Test
    void aRegionThatHasGoneOrComeDoesNotHideTheOthers() {
        assertThat(found("acd")).isEqualTo("ACD");
        assertThat(found("bcd")).isEqualTo("BCD");
        assertThat(found("xabyzcd")).isEqualTo("-AB--CD");
    }

    @Test
    void inAnotherOrderNoneIsTakenForAnother() {
        assertThat(found("dcba")).isEqualTo("--B-");
        assertThat(found("aabb")).isEqualTo("A-B-");
    }

    @Test
    void whatIsForgottenIsNotFound() {
        order.put("other", List.of("A"));
        order.retainServers(Set.of("server"));
        assertThat(order.of("other").find("a")).isNull();
        assertThat(order.of("server").find("a")).isEqualTo("A");

        order.clear();

        assertThat(found("abcd")).isEqualTo("----");
    }
}
