package millrace.gateway.api.documents;

import java.net.URI;
import java.util.Optional;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;

/**
 * Points a page's links to what is served. Links to other files of the repository become plain text.
 */
final class ServedLinks extends AbstractVisitor {
    private static final String SCHEMAS = "libs/contracts/src/main/resources/schemas/";

    private final URI page;
    private final Guide.Audience audience;

    ServedLinks(Guide guide) {
        this.page = URI.create("/docs/" + guide.file());
        this.audience = guide.audience();
    }

    @Override
    public void visit(Link link) {
        visitChildren(link);
        served(link.getDestination()).ifPresentOrElse(link::setDestination, () -> unwrap(link));
    }

    /** None of them is served; its description stays. */
    @Override
    public void visit(Image image) {
        visitChildren(image);
        unwrap(image);
    }

    private Optional<String> served(String destination) {
        URI target = URI.create(destination);
        if (target.isAbsolute() || destination.startsWith("#")) {
            return Optional.of(destination);
        }
        // The documentation is the folder /docs of the repository.
        String file = page.resolve(target).getPath().substring(1);
        String fragment = target.getRawFragment() == null ? "" : "#" + target.getRawFragment();
        if (audience == Guide.Audience.CLIENTS && file.startsWith(SCHEMAS)) {
            return Optional.of(TopicDocuments.SCHEMAS + "/" + file.substring(SCHEMAS.length()));
        }
        if (audience == Guide.Audience.CLIENTS && file.equals("docs/asyncapi.yaml")) {
            return Optional.of(TopicDocuments.ASYNCAPI);
        }
        return file.startsWith("docs/")
                ? Guide.of(file.substring("docs/".length()), audience).map(guide -> guide.path() + fragment)
                : Optional.empty();
    }

    /** Replaces the node by what is in it. */
    private static void unwrap(Node node) {
        while (node.getFirstChild() != null) {
            node.insertBefore(node.getFirstChild());
        }
        node.unlink();
    }
}
