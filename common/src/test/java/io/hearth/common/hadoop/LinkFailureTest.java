// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.common.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** Which failures another version explains, and the line for them. This module's class path has no HBase. */
class LinkFailureTest {

    private static String versions() throws IOException {
        Properties builtFor = new Properties();
        try (InputStream file = LinkFailure.class.getResourceAsStream("built-for.properties")) {
            builtFor.load(file);
        }
        assertThat(builtFor.getProperty("hbase")).matches("[23]\\..*");
        assertThat(builtFor.getProperty("hadoop")).isEqualTo(VersionInfo.getVersion());
        return ". Hearth was built for HBase " + builtFor.getProperty("hbase") + " and Hadoop "
                + builtFor.getProperty("hadoop") + ", and this is HBase of an unknown version and Hadoop "
                + VersionInfo.getVersion() + ". bin/hearth install --check names all that is missing.";
    }

    @Test
    void whatIsMissingIsNamedWithBothVersions() throws IOException {
        assertThat(LinkFailure.of(new NoSuchMethodError("'void org.apache.hadoop.A.b(int)'")))
                .contains("NoSuchMethodError: 'void org.apache.hadoop.A.b(int)'" + versions());
        assertThat(LinkFailure.of(new IllegalStateException(new NoClassDefFoundError("org/apache/hadoop/A"))))
                .contains("NoClassDefFoundError: org/apache/hadoop/A" + versions());
        NoClassDefFoundError outer = new NoClassDefFoundError("Could not initialize class io.hearth.X");
        outer.initCause(new ExceptionInInitializerError(new NoSuchFieldError("b")));
        assertThat(LinkFailure.of(outer)).as("the innermost").contains("NoSuchFieldError: b" + versions());
        assertThat(LinkFailure.of(new VerifyError("Bad type\nLocation: x")))
                .as("one line")
                .contains("VerifyError: Bad type" + versions());
    }

    @Test
    void anObjectOfAnotherTypeOfTheirsIsOne() throws IOException {
        String cast =
                "class org.apache.hadoop.A cannot be cast to class org.apache.hadoop.B (both are in unnamed module)";
        assertThat(LinkFailure.of(new ClassCastException(cast))).contains("ClassCastException: " + cast + versions());
        assertThat(LinkFailure.of(
                        new ClassCastException("class java.lang.Integer cannot be cast to class java.lang.Long")))
                .as("a fault of ours")
                .isEmpty();
    }

    @Test
    void otherFailuresAreNot() {
        assertThat(LinkFailure.of(new IOException("gone"))).isEmpty();
        assertThat(LinkFailure.of(new OutOfMemoryError("Java heap space"))).isEmpty();
        assertThat(LinkFailure.of(new ClassCastException())).isEmpty();
        IllegalStateException one = new IllegalStateException();
        IllegalStateException other = new IllegalStateException(one);
        one.initCause(other);
        assertThat(LinkFailure.of(one)).as("causes that go round").isEmpty();
    }
}
