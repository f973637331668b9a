// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.common.config.ConfigProblem;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.healer.config.LoginSettings.LoginConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoginSettingsTest {

    @Test
    void bothOrNeither() {
        assertThat(LoginSettings.read(new MapSettings(Map.of()))).isEmpty();
        assertThat(LoginSettings.read(new MapSettings(Map.of(
                        "hearth.healer.keytab.file", "/etc/hearth.keytab",
                        "hearth.healer.kerberos.principal", "hearth/_HOST@EXAMPLE.COM"))))
                .contains(new LoginConfig("/etc/hearth.keytab", "hearth/_HOST@EXAMPLE.COM"));
    }

    @Test
    void oneAloneIsAMistake() {
        assertThatThrownBy(() -> LoginSettings.read(new MapSettings(Map.of("hearth.healer.keytab.file", "/k"))))
                .hasMessage("hearth.healer.keytab.file is set and hearth.healer.kerberos.principal is not. Set both, or"
                        + " neither to speak to HDFS as the process does.");
        assertThatThrownBy(() -> LoginSettings.read(new MapSettings(Map.of("hearth.healer.kerberos.principal", "p"))))
                .hasMessage("hearth.healer.kerberos.principal is set and hearth.healer.keytab.file is not. Set both, or"
                        + " neither to speak to HDFS as the process does.");
    }

    @Test
    void anUnknownKeyIsReportedWithTheNearest() {
        HealingSettings.Reading reading =
                HealingSettings.read("hbase-site.xml", new MapSettings(Map.of("hearth.healer.keytab", "/k")));

        assertThat(reading.problems())
                .extracting(ConfigProblem::message)
                .singleElement()
                .asString()
                .contains("hearth.healer.keytab", "hearth.healer.keytab.file");
    }
}
