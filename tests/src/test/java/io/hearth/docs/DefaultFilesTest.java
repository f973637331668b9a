// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.doctor.model.HadoopKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every key that the doctor reads is in the default files of the line's jars with the default that he takes, or in the class that he names. */
class DefaultFilesTest {

    @ParameterizedTest
    @EnumSource(HadoopKey.class)
    void theKeyIsThere(HadoopKey key) throws IOException {
        if (key.readBy().isEmpty()) {
            assertThat(DefaultFiles.value(key.key()))
                    .as(key.key() + " in a default file")
                    .hasValueSatisfying(value -> assertThat(value).isEqualTo(key.defaultValue()));
        } else {
            assertThat(DefaultFiles.value(key.key()))
                    .as(key.key() + " is said to be in no default file")
                    .isEmpty();
            // HBase 2.6 has rsgroups in a module that is no dependency: InstallIT starts a cluster with it by this key.
            if (!key.readBy().get().startsWith("org.apache.hadoop.hbase.rsgroup.")) {
                assertThat(constantsOf(key.readBy().get()))
                        .as(key.readBy().get())
                        .contains(key.key());
            }
        }
    }

    /** The text of the class file: a key that a class reads is a constant in it, whatever it is called. */
    private static String constantsOf(String type) throws IOException {
        try (InputStream in = DefaultFilesTest.class.getResourceAsStream("/" + type.replace('.', '/') + ".class")) {
            assertThat(in).as(type).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
