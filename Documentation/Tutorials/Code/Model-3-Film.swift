struct Film {
    var id = 0
    var title: String
    var minutes: Int
}
