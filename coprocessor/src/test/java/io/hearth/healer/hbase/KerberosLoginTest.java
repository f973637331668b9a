// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hearth.healer.hbase.HealerUser.HealerLoginException;
import java.io.File;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The healer's own login, with a KDC in this JVM. */
class KerberosLoginTest {

    @TempDir
    private static Path dir;

    private static MiniKdc kdc;
    private static File keytab;

    @BeforeAll
    static void aMasterThatIsLoggedIn() throws Exception {
        Properties properties = MiniKdc.createConf();
        kdc = new MiniKdc(properties, dir.toFile());
        kdc.start();
        keytab = dir.resolve("both.keytab").toFile();
        kdc.createPrincipal(keytab, "master/localhost", "hearth/localhost");
        Configuration secure = new Configuration(false);
        secure.set("hadoop.security.authentication", "kerberos");
        secure.set("hadoop.security.auth_to_local", "RULE:[2:$1] RULE:[1:$1]");
        UserGroupInformation.setConfiguration(secure);
        UserGroupInformation.loginUserFromKeytab("master/localhost@" + kdc.getRealm(), keytab.getPath());
    }

    @AfterAll
    static void notSecureAnyMore() {
        kdc.stop();
        UserGroupInformation.reset();
        System.clearProperty("java.security.krb5.conf");
    }

    @Test
    void healingIsItsOwnPrincipalAndTheMasterStaysItself() throws Exception {
        HealerUser healer = HealerUser.login(asking("hearth/localhost@" + kdc.getRealm(), keytab.getPath()));

        assertThat(healer.shortName()).isEqualTo("hearth");
        assertThat(healer.doAs(() -> UserGroupInformation.getCurrentUser().getShortUserName()))
                .isEqualTo("hearth");
        assertThat(healer.ugi().hasKerberosCredentials()).isTrue();
        healer.keepLoggedIn();
        assertThat(UserGroupInformation.getLoginUser().getShortUserName()).isEqualTo("master");
        assertThat(UserGroupInformation.getCurrentUser().getShortUserName()).isEqualTo("master");
    }

    @Test
    void aPrincipalThatIsNotInTheKeytabIsOneLine() {
        String principal = "nobody/localhost@" + kdc.getRealm();

        assertThatThrownBy(() -> HealerUser.login(asking(principal, keytab.getPath())))
                .isInstanceOf(HealerLoginException.class)
                .hasMessageStartingWith("Healing can't log in as " + principal + " from " + keytab + ": ")
                .hasMessageEndingWith(
                        " Check hearth.healer.kerberos.principal, hearth.healer.keytab.file (klist -kt shows"
                                + " what is in it) and krb5.conf.")
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("\n"));
    }

    @Test
    void withoutKeysItIsTheMaster() throws Exception {
        assertThat(HealerUser.login(new Configuration(false)).shortName()).isEqualTo("master");
    }

    private static Configuration asking(String principal, String keytabFile) {
        Configuration conf = new Configuration(false);
        conf.set("hearth.healer.kerberos.principal", principal);
        conf.set("hearth.healer.keytab.file", keytabFile);
        return conf;
    }
}
