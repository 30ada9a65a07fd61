package millrace.gateway.admin;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanResolutionContext;
import io.micronaut.inject.BeanConfiguration;
import io.micronaut.inject.BeanDefinitionReference;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import millrace.gateway.console.ConsoleFiles;
import millrace.gateway.server.RefusedException;
import millrace.gateway.server.StoreUnavailableHandler;
import millrace.gateway.server.netty.ApiServer;
import millrace.gateway.settings.AdminSettings;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.settings.SettingsException;
import org.jspecify.annotations.Nullable;

/** Starts the server of the admin API. It has a context of its own, and so no route or filter together with the public API. */
public final class AdminServer {
    private AdminServer() {}

    /**
     * Empty where the settings name no keys.
     *
     * @param gateway has the beans of the public API
     * @throws SettingsException in one line, where the port is taken or the keys cannot be used
     */
    public static Optional<ApiServer> start(GatewaySettings settings, BeanContext gateway) {
        AdminSettings admin = settings.admin();
        if (admin.keys() == null) {
            return Optional.empty();
        }
        ApplicationContext context = ApiServer.context(admin.host(), admin.port(), settings)
                .properties(Map.of(
                        "micronaut.application.name",
                        "millrace-admin",
                        // So that the key is asked for where the target is malformed, too; AdminKeyFilter refuses it
                        // then.
                        "micronaut.server.escape-html-url",
                        true,
                        // Pages of other origins know no key.
                        "micronaut.server.cors.localhost-pass-through",
                        true,
                        "micronaut.netty.event-loops.default.num-threads",
                        1))
                .beanConfigurations(new OtherBeans())
                .singletons(
                        settings,
                        AdminKeys.read(admin.keys()),
                        gateway.getBean(AdminDependencies.class),
                        new RefusedException.Handler(),
                        new StoreUnavailableHandler(),
                        ConsoleFiles.load(settings.console(), ConsoleFiles.Audience.OPERATORS))
                .start();
        return Optional.of(ApiServer.start(context, "gateway.admin.port " + admin.port() + " of " + admin.host()));
    }

    /** All beans of ours but those of the admin API and of connections. There are none of them in its context. */
    private static final class OtherBeans implements BeanConfiguration {
        @Override
        public boolean isEnabled(BeanContext context, @Nullable BeanResolutionContext resolution) {
            return false;
        }

        @Override
        @SuppressWarnings("rawtypes") // the framework's signature
        public boolean isWithin(BeanDefinitionReference bean) {
            String name = bean.getBeanDefinitionName();
            return name.startsWith(getName())
                    && Stream.of(AdminServer.class, ApiServer.class)
                            .noneMatch(own -> name.startsWith(own.getPackageName() + "."));
        }

        @Override
        public Package getPackage() {
            return GatewaySettings.class.getPackage();
        }

        @Override
        public String getName() {
            return "millrace.";
        }

        @Override
        public @Nullable String getVersion() {
            return null;
        }
    }
}
