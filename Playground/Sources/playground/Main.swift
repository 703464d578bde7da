import PlaygroundKit

@main
enum Main {
    static func main() async {
        await Playground.start()
    }
}
