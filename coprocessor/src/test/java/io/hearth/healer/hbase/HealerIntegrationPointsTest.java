// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;

/**
 * What the healer takes for granted about HBase and the compiler can't hold. docs/internals.md names the test for each seam;
 * this one runs on every line of HBase.
 */
class HealerIntegrationPointsTest {

    /** It is written without {@code @Override}, so that it would stay unheard of if HBase changed it. */
    @Test
    void theHookForAReloadedConfigurationIsHBasesWhereItHasOne() throws NoSuchMethodException {
        Method ours = LocalityHealingObserver.class.getMethod(
                "postUpdateMasterConfiguration", ObserverContext.class, Configuration.class);
        List<Method> hooks = Arrays.stream(MasterObserver.class.getMethods())
                .filter(hook -> hook.getName().equals(ours.getName()))
                .toList();

        if (VersionInfo.getVersion().startsWith("3.0.0-alpha")) {
            assertThat(hooks).isEmpty();
        } else {
            assertThat(hooks).singleElement().satisfies(hook -> assertThat(hook.getParameterTypes())
                    .containsExactly(ours.getParameterTypes()));
        }
    }

    /** HBase looks for it when it loads the class, and only then hands over the master's services. */
    @Test
    void theMarkOfACoreCoprocessorIsThereAtRunTime() {
        assertThat(LocalityHealingObserver.class.isAnnotationPresent(CoreCoprocessor.class))
                .isTrue();
        assertThat(CoreCoprocessor.class.getAnnotation(Retention.class).value()).isEqualTo(RetentionPolicy.RUNTIME);
    }
}
