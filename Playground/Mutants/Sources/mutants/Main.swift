import MutantsKit

@main
enum Main {
    static func main() {
        MutantsCommand.start()
    }
}
