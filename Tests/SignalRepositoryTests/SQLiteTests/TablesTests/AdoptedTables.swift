import SignalRepository

/// The scripts that create the files of other programs.
enum Scripts {
    /// Tables like those of the sample database Chinook, with an additional column.
    static let music = """
        PRAGMA user_version = 3;
        CREATE TABLE Artist (ArtistId INTEGER NOT NULL, Name NVARCHAR(120), CONSTRAINT PK PRIMARY KEY (ArtistId));
        CREATE TABLE Track (
            Extra TEXT NOT NULL DEFAULT 'none', TrackId INTEGER NOT NULL PRIMARY KEY, Title NVARCHAR(200) NOT NULL,
            ArtistId INTEGER REFERENCES Artist (ArtistId) ON DELETE NO ACTION, Price NUMERIC(10,2) NOT NULL,
            Added DATETIME);
        CREATE INDEX IFK_TrackArtistId ON Track (ArtistId);
        INSERT INTO Artist VALUES (1, 'AC/DC'), (2, NULL), (3, 'Accept');
        INSERT INTO Track VALUES ('', 1, 'For Those', 1, 0.99, '2009-01-01 00:00:00'), ('', 2, 'Balls', 3, 1.99, NULL),
            ('', 3, 'Fast', NULL, 1, '2010-12-31 23:59:59');
        """

    /// Tables like those of the sample database Northwind.
    static let shop = """
        CREATE TABLE Customers (
            CustomerID TEXT PRIMARY KEY NOT NULL, CompanyName TEXT NOT NULL, City TEXT COLLATE NOCASE) WITHOUT ROWID;
        CREATE TABLE "Order Details" (
            OrderID INTEGER NOT NULL, ProductID INTEGER NOT NULL, UnitPrice MONEY NOT NULL DEFAULT 0,
            Quantity SMALLINT NOT NULL DEFAULT 1, total REAL AS (UnitPrice * Quantity) STORED,
            half REAL AS (UnitPrice / 2) VIRTUAL, PRIMARY KEY (OrderID, ProductID));
        CREATE TABLE Orders (OrderID INTEGER PRIMARY KEY AUTOINCREMENT, CustomerID TEXT REFERENCES Customers);
        CREATE TABLE log (id INTEGER PRIMARY KEY, what TEXT);
        CREATE TRIGGER logged AFTER INSERT ON "Order Details" WHEN new.ProductID = 42 AND new.OrderID = 2
            BEGIN INSERT INTO log (what) VALUES ('detail'); END;
        CREATE VIEW totals AS SELECT CustomerID, sum(total) AS total FROM Orders JOIN "Order Details" USING (OrderID)
            WHERE Quantity < 3 GROUP BY CustomerID;
        INSERT INTO Customers VALUES ('ALFKI', 'Alfreds', 'Berlin'), ('AROUT', 'Around the Horn', 'London');
        INSERT INTO Orders VALUES (1, 'ALFKI'), (2, 'AROUT');
        INSERT INTO "Order Details" (OrderID, ProductID, UnitPrice, Quantity)
            VALUES (1, 11, 14, 1), (1, 42, 9.8, 0), (2, 11, 9.8, 1);
        """

    static let misfits = """
        CREATE TABLE Misfit (id INTEGER, number TEXT, text INTEGER, other INTEGER, needed TEXT NOT NULL);
        CREATE VIEW Seen AS SELECT * FROM Misfit;
        CREATE TABLE Folded (id TEXT COLLATE NOCASE PRIMARY KEY);
        CREATE TABLE Generated (id INT PRIMARY KEY, name TEXT);
        """
}

struct Artist: Entity, Equatable {
    let id: Int
    var name: String?

    static let schema = Schema(Column("ArtistId", \Artist.id), Column("Name", \.name), make: Artist.init)
}

struct Track: Entity, Equatable {
    let id: Int
    var title: String
    var artist: Int?
    var price: Double
    var added: String?

    static let schema = Schema(
        Column("TrackId", \Track.id), Column("Title", \.title),
        Column("ArtistId", \.artist, .references(Artist.self, onDelete: .restrict)), Column("Price", \.price),
        Column("Added", \.added), make: Track.init)
}

struct OrderDetail: Entity, Equatable {
    let order: Int
    let product: Int
    var unitPrice: Double
    var quantity: Int
    var id: CompositeKey<Int, Int> { CompositeKey(order, product) }

    static let entityName = "Order Details"
    static let schema = Schema(
        Column("OrderID", \OrderDetail.order), Column("ProductID", \.product), Column("UnitPrice", \.unitPrice),
        Column("Quantity", \.quantity), key: [\.order, \.product], make: OrderDetail.init)
}

struct ComputedDetail: Entity, Equatable {
    let order: Int
    let product: Int
    var total: Double
    var id: CompositeKey<Int, Int> { CompositeKey(order, product) }

    static let entityName = "Order Details"
    static let schema = Schema(
        Column("OrderID", \ComputedDetail.order), Column("ProductID", \.product), Column("total", \.total),
        key: [\.order, \.product], make: ComputedDetail.init)
}

struct Customer: Entity, Equatable {
    let id: String
    var company: String
    var city: String?

    static let entityName = "Customers"
    static let schema = Schema(
        Column("CustomerID", \Customer.id), Column("CompanyName", \.company), Column("City", \.city),
        make: Customer.init)
}

/// The properties that the entities of three kinds of table have in common.
protocol Sized: Entity, Equatable {
    var name: String { get set }
    var size: Double { get set }
}

struct StrictItem: Sized {
    let id: Int
    var name: String
    var size: Double

    static let schema = Schema(
        Column("id", \StrictItem.id), Column("name", \.name), Column("size", \.size), make: StrictItem.init)
}

struct LooseItem: Sized {
    let id: Int
    var name: String
    var size: Double

    static let schema = Schema(
        Column("id", \LooseItem.id), Column("name", \.name), Column("size", \.size), make: LooseItem.init)
}

struct KeyedItem: Sized {
    let id: String
    var name: String
    var size: Double

    static let schema = Schema(
        Column("id", \KeyedItem.id), Column("name", \.name), Column("size", \.size), make: KeyedItem.init)
}

struct Misfit: Entity {
    let id: Int
    var number: Int?
    var text: String?
    var other: Int?
    var missing: Int?

    static let schema = Schema(
        Column("id", \Misfit.id), Column("number", \.number), Column("text", \.text, .unique),
        Column("other", \.other, .references(Artist.self)), Column("missing", \.missing), make: Misfit.init)
}

struct NoTable: Entity {
    let id: Int

    static let schema = Schema(Column("id", \NoTable.id), make: NoTable.init)
}

struct Seen: Entity {
    let id: Int

    static let schema = Schema(Column("id", \Seen.id), make: Seen.init)
}

struct Folded: Entity {
    let id: String

    static let schema = Schema(Column("id", \Folded.id), make: Folded.init)
}

struct Generated: Entity {
    let id: Int
    var name: String?

    static let schema = Schema(Column("id", \Generated.id, .generated), Column("name", \.name), make: Generated.init)
}

/// A row of a view.
struct Total: Entity, Equatable {
    let id: String
    var total: Double

    static let entityName = "totals"
    static let schema = Schema(Column("CustomerID", \Total.id), Column("total", \.total), make: Total.init)
}
