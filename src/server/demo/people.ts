import type { DemoCompanyName } from './companies.ts'
import type { DemoSectorName } from './sectors.ts'

/** A contact, as far as the demo history needs to know it. */
export interface DemoPerson {
  name: string
  /** As the gateway writes it; undefined: known by LID alone. */
  phone: string | undefined
  lid?: string
  category: 'Cliente' | 'Lead' | 'Fornecedor' | 'Suporte' | 'VIP' | 'general'
  company?: DemoCompanyName
  /** Where all of their conversations come. */
  sector?: DemoSectorName
  email?: string
  tags?: readonly string[]
  notes?: string
  identity?: 'pn-with-lid' | 'lid' | 'lid-only'
  /** The name operators use, and its grammatical gender. */
  call: string
  isWoman: boolean
  city: string
  /** Weight among all contacts; 0: no archived conversations. */
  weight: number
  /** No conversation within the last days. */
  quietDays?: number
  /** Days since the first conversation. */
  sinceDays?: number
  isBlocked?: boolean
  isActive?: boolean
  /** The number has no WhatsApp: sending to it fails. */
  isUnreachable?: boolean
}

/** Author ('c' client, 'o' operator), minutes ago, text. */
type Line = readonly ['c' | 'o', number, string]

export interface DemoTalk {
  /** User name of the assigned operator; absent: in the queue. */
  with?: string
  /** Absent: that of the contact, or none. */
  sector?: DemoSectorName
  /** Who passed it on to its sector, minutes ago, and what they noted for whoever takes it. */
  moved?: readonly [by: string, ago: number, note: string]
  priority?: 'low' | 'high'
  /** Minutes ago; absent: still open. */
  completedAgo?: number
  lines: readonly Line[]
}

export interface DemoContact extends DemoPerson {
  talks: readonly DemoTalk[]
}

type More = Omit<DemoPerson, 'name' | 'phone' | 'category' | 'call' | 'isWoman' | 'city' | 'weight'>

function person(
  [name, call, gender]: readonly [string, string, 'f' | 'm'],
  phone: string | undefined,
  category: DemoPerson['category'],
  city: string,
  weight: number,
  more: More = {},
): DemoPerson {
  return { name, phone, category, call, isWoman: gender === 'f', city, weight, ...more }
}

/** The contacts without an open conversation. All invented. */
export const demoPeople: readonly DemoPerson[] = [
  person(['Lívia Sant’Anna 🍰', 'Lívia', 'f'], '553187116402', 'VIP', 'Belo Horizonte', 9, {
    company: 'Doceria Flor de Maracujá',
    email: 'livia@flordemaracuja.example',
    tags: ['doces', 'caixa com visor', 'quinzenal'],
    notes: 'Confere a cor da fita antes de fechar. Paga sempre no Pix.',
  }),
  person(['Raimundo Nonato Façanha', 'Raimundo', 'm'], '558591442038', 'VIP', 'Fortaleza', 8, {
    company: 'Farmácia São Benedito',
    email: 'compras@farmaciasaobenedito.example',
    tags: ['saco kraft', 'contrato anual'],
  }),
  person(['Gino Bertolucci Neto', 'Gino', 'm'], '5519998427015', 'VIP', 'Campinas', 9, {
    company: 'Pizzaria Nonno Gino',
    tags: ['caixa de pizza'],
    notes: 'Recebe só depois das 14h; pizzaria abre às 18h.',
  }),
  person(['Jaciara Lins', 'Jaciara', 'f'], '558196330187', 'Cliente', 'Recife', 7, {
    company: 'Ateliê Moça Bonita',
    email: 'jaciara@mocabonita.example',
  }),
  person(['Edvaldo Conceição (compras)', 'Edvaldo', 'm'], '557188615290', 'Cliente', 'Salvador', 7, {
    company: 'Supermercado Ideal Ltda.',
    tags: ['bobina picotada'],
  }),
  person(['Cláudia Bom Preço Caixa 2', 'Cláudia', 'f'], '5511970446182', 'Cliente', 'São Paulo', 6, {
    company: 'Mercadinho Bom Preço',
  }),
  person(['Rubens Kowalski', 'Rubens', 'm'], '554198830172', 'Fornecedor', 'Curitiba', 7, {
    company: 'Cartonagem Serra Azul Indústria e Comércio de Papéis Ltda.',
    email: 'rubens@serraazul.example',
    sector: 'Comercial',
    tags: ['papelão', 'onda dupla'],
  }),
  person(['Serra Azul — Expedição', 'Adriano', 'm'], '554133557121', 'Fornecedor', 'Curitiba', 5, {
    company: 'Cartonagem Serra Azul Indústria e Comércio de Papéis Ltda.',
  }),
  person(['Mayara Guimarães', 'Mayara', 'f'], '553199820417', 'Cliente', 'Contagem', 5, {
    company: 'Guimarães & Filhos Materiais',
    email: 'financeiro@guimaraesefilhos.example',
    sector: 'Financeiro',
    tags: ['financeiro'],
  }),
  person(['Osvaldo Yamamoto', 'Osvaldo', 'm'], '5513997120385', 'Fornecedor', 'Registro', 4, {
    company: 'Coop. Vale do Ribeira',
  }),
  person(['Sandra Regina Pacheco', 'Sandra', 'f'], '5511962218754', 'Cliente', 'São Paulo', 6, {
    company: 'Pão & Cia Panificadora',
    notes: 'Pede saco kraft toda segunda.',
    tags: ['semanal'],
  }),
  person(['Célia Marinho', 'Célia', 'f'], '5521987610443', 'Cliente', 'Rio de Janeiro', 4, {
    company: 'Papelaria Arco-Íris (encerrada)',
    quietDays: 41,
    isActive: false,
    notes: 'A loja fechou; acerto final feito.',
  }),
  person(['Bar e Lanchonete do Tião', 'Tião', 'm'], '551732214490', 'Cliente', 'São José do Rio Preto', 5),
  person(['Ótica Visão Clara', 'Denise', 'f'], '551633290077', 'Cliente', 'Ribeirão Preto', 4, {
    email: 'contato@visaoclara.example',
  }),
  person(['Açaí da Praia 🏖️', 'Renan', 'm'], '559182230946', 'Cliente', 'Belém', 6, { tags: ['copos'] }),
  person(
    ['Terezinha de Jesus Albuquerque Figueiredo de Andrade', 'Terezinha', 'f'],
    '558499017326',
    'Cliente',
    'Natal',
    5,
    {
      notes: 'Gosta de ser chamada de dona Terezinha.',
    },
  ),
  person(['Ubirajara Tupinambá', 'Bira', 'm'], '559592017743', 'Cliente', 'Boa Vista', 3),
  person(['Anderson (Hamburgueria 22)', 'Anderson', 'm'], '556192448170', 'Cliente', 'Brasília', 7, {
    tags: ['delivery'],
    email: 'anderson@hamburgueria22.example',
  }),
  person(['Kátia Velas & Aromas', 'Kátia', 'f'], '5524992813367', 'Cliente', 'Petrópolis', 6),
  person(['Distribuidora Pantanal', 'Gérson', 'm'], '556733840912', 'Cliente', 'Campo Grande', 4, {
    email: 'compras@distpantanal.example',
  }),
  person(['Nivaldo Schütz', 'Nivaldo', 'm'], '554899176205', 'Cliente', 'Florianópolis', 5),
  person(['Ivone Cruz ✝️', 'Ivone', 'f'], '5527998112604', 'Cliente', 'Vila Velha', 4),
  person(['Sr. Haroldo — Ferragens', 'Haroldo', 'm'], '555432910655', 'Cliente', 'Caxias do Sul', 4),
  person(['Yasmin & Cia Moda Infantil', 'Yasmin', 'f'], '5534991640238', 'Cliente', 'Uberlândia', 6, {
    tags: ['sacola personalizada'],
  }),
  person(['Padre Cícero Artesanatos', 'Socorro', 'f'], '558899213370', 'Cliente', 'Juazeiro do Norte', 3),
  person(['Genésio do Sacolão', 'Genésio', 'm'], '5512981140976', 'Cliente', 'São José dos Campos', 5),
  person(['Clínica Vet Amigo Fiel', 'Priscila', 'f'], '556232410098', 'Cliente', 'Goiânia', 3),
  person(['Aurélio Bittencourt', 'Aurélio', 'm'], '555181670934', 'VIP', 'Porto Alegre', 7, {
    email: 'aurelio@bittencourt.example',
    sector: 'Comercial',
    tags: ['pagamento antecipado'],
    notes: 'Cliente desde 2011. Qualquer problema, avisar a Marina.',
  }),
  person(['Mel Silvestre da Chapada', 'Iracema', 'f'], '557591830264', 'VIP', 'Feira de Santana', 5, {
    tags: ['potes', 'rótulo'],
  }),
  person(['Escola Pequeno Príncipe', 'Vânia', 'f'], '558632329914', 'Cliente', 'Teresina', 3, {
    email: 'secretaria@pequenoprincipe.example',
  }),
  person(['Wesley Motopeças', 'Wesley', 'm'], '556598120477', 'Cliente', 'Cuiabá', 4),
  person(['Márcio 🔧', 'Márcio', 'm'], '5511947730265', 'Suporte', 'Guarulhos', 6, {
    tags: ['seladora 40 cm'],
    sector: 'Suporte',
  }),
  person(['Dirce — Empório da Vovó', 'Dirce', 'f'], '5532988410752', 'Suporte', 'Juiz de Fora', 6, {
    tags: ['balança'],
  }),
  person(['João Pedro (TI do Ideal)', 'João Pedro', 'm'], '557199306128', 'Suporte', 'Salvador', 5, {
    company: 'Supermercado Ideal Ltda.',
    tags: ['leitor', 'impressora'],
    sector: 'Suporte',
  }),
  person(['Frigorífico Boi Bonito', 'Elton', 'm'], '556333160845', 'Suporte', 'Palmas', 3),
  person(['Luana Peixoto', 'Luana', 'f'], '558291130472', 'Lead', 'Maceió', 3, { sinceDays: 48 }),
  person(['Brechó Gira-Gira', 'Tainá', 'f'], '554799280613', 'Lead', 'Joinville', 3, { sinceDays: 35 }),
  person(['Caio Brigadeiros', 'Caio', 'm'], '558398410276', 'Lead', 'João Pessoa', 3, { sinceDays: 27 }),
  person(['+55 68 9921-4408', 'Francisca', 'f'], '556899214408', 'Lead', 'Rio Branco', 2, { sinceDays: 60 }),
  person(['Zuleide Encantada ✨🧁', 'Zuleide', 'f'], '559888201753', 'Lead', 'São Luís', 3, {
    sinceDays: 19,
  }),
  person(['Otto Wagner Zimmermann', 'Otto', 'm'], '554291017538', 'Lead', 'Ponta Grossa', 2, {
    sinceDays: 12,
  }),
  person(['Rosana', 'Rosana', 'f'], '557991428830', 'general', 'Aracaju', 3),
  person(['Jefferson', 'Jefferson', 'm'], '559699104417', 'general', 'Macapá', 2, {
    quietDays: 22,
    isBlocked: true,
  }),
  person(['Promoções Imperdíveis', 'pessoal', 'm'], '5511911027743', 'general', 'São Paulo', 0, {
    isBlocked: true,
    notes: 'Manda propaganda. Bloqueado.',
  }),
  person(['Número oculto', 'Rosilda', 'f'], undefined, 'general', 'Osasco', 3, {
    lid: '184503927716402',
    identity: 'lid-only',
  }),
  person(['Hotel Recanto das Araras', 'recepção', 'f'], '556934217700', 'Lead', 'Porto Velho', 0, {
    isUnreachable: true,
    notes: 'Só telefone fixo: não tem WhatsApp.',
  }),
  person(['Seu Agenor (número antigo)', 'Agenor', 'm'], '5544991380027', 'Cliente', 'Maringá', 0, {
    isUnreachable: true,
    isActive: false,
  }),
] as const
