// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.balancer.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.balancer.config.BalancerSettings.LocalitySettings;
import io.hearth.balancer.config.BalancerSettings.MasterSettings;
import io.hearth.balancer.config.BalancerSettings.PlacementSettings;
import io.hearth.balancer.config.BalancerSettings.PlannerSettings;
import io.hearth.balancer.config.GoalConfig.Goal;
import io.hearth.common.config.RawSettings.MapSettings;
import io.hearth.common.config.Setting;
import io.hearth.common.model.LoadDimension;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** That each setting is read, documented and known by its key. */
class AllSettingsTest {

    static Stream<Arguments> groups() {
        return Stream.of(
                Arguments.of(MoveSettings.class, MoveSettings.all()),
                Arguments.of(MoveTrackerSettings.class, MoveTrackerSettings.all()),
                Arguments.of(HeatSettings.class, HeatSettings.all()),
                Arguments.of(PlannerSettings.class, PlannerSettings.all()),
                Arguments.of(PlacementSettings.class, PlacementSettings.all()),
                Arguments.of(LocalitySettings.class, LocalitySettings.all()),
                Arguments.of(MasterSettings.class, MasterSettings.all()));
    }

    /** A setting that is forgotten in its list is neither documented nor known. */
    @ParameterizedTest
    @MethodSource("groups")
    void aGroupListsEachOfItsSettings(Class<?> group, List<Setting<?>> listed) throws Exception {
        List<Object> own = new ArrayList<>();
        for (Field field : group.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == Setting.class) {
                field.setAccessible(true);
                own.add(field.get(null));
            }
        }
        assertThat(own).isNotEmpty();
        assertThat(listed).containsAll(own.stream().map(one -> (Setting<?>) one).toList());
        assertThat(BalancerSettings.all()).containsAll(listed);
        assertThat(KeyRegistry.settings()).containsAll(listed);
    }

    @Test
    void aGoalWithoutWeightIsNotWeighed() {
        assertThat(new Goal(0, 1.3, 1.1, 0).isWeighed()).isFalse();
        assertThat(new Goal(0.1, 1.3, 1.1, 0).isWeighed()).isTrue();
    }

    /** What is read of a file without a key are the defaults, in every part. */
    @Test
    void withoutAKeyEveryPartHasItsDefaults() {
        BalancerConfig config = BalancerConfig.read("hbase-site.xml", new MapSettings(Map.of()), key -> true);

        assertThat(config.problems()).isEmpty();
        assertThat(config.search().deadlineMs()).isEqualTo(10_000);
        assertThat(config.locality()).isNotNull();
        assertThat(config.tracker()).isNotNull();
        assertThat(config.goals().moves()).isNotNull();
        assertThat(config.goals().of(LoadDimension.READS).isWeighed()).isTrue();
        assertThat(HeatConfig.of(60_000, 10_000).halfLifeMs()).isEqualTo(60_000);
        assertThat(HeatConfig.of(60_000, 10_000).minObservedMs()).isEqualTo(10_000);
    }
}
