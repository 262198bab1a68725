import { script } from './script.ts'

/** Conversations about purchases. See script.ts for the notation. */
export const salesScenarios = [
  script(
    'orçamento',
    ['lead', 'cliente', 'vip', 'geral'],
    9,
    `
c {oi}! Vocês têm {prod}? Preciso de {qtd}. | {oi}, queria um orçamento de {qtd} {prods}.
  | {oi}! Quanto fica {qtd} {prods}? | {oi}! Me passa o preço d{o} {prod}, por favor? Seriam {qtd}.
  | {oi}, vocês trabalham com {prod}?
o {opoi} Temos sim. {qtd} {prods} saem a R$ {preco} cada, total de R$ {total}.
  | {opoi} Temos em estoque: R$ {preco} a unidade; {qtd} dão R$ {total}.
  | {opoi} Trabalhamos, sim. Em {qtd} unidades o preço fica em R$ {preco}, R$ {total} no total.
c E o frete para {cidade}? | Entrega em {cidade}? | O frete está incluso? | Consegue entregar em {cidade}?
o Para {cidade} o frete sai R$ {frete}, com entrega em {prazo}.
  | Entregamos, sim: R$ {frete} de frete e {prazo} de prazo.
  | O frete para {cidade} fica em R$ {frete}, em {prazo}.
c? Esse valor é à vista ou dá para parcelar? | Faz em boleto para 28 dias? | Tem desconto no Pix?
o= É à vista; no cartão dividimos em 3 vezes sem juros. | Fazemos, depois do cadastro aprovado.
  | No Pix tem {desc} de desconto.
o @doc Orçamento {pedido}.pdf | Vou formalizar e mando por aqui: orçamento {pedido}, válido por 7 dias.
  | Registrei como orçamento {pedido}. Vale por 7 dias com esse preço.
c Recebi, vou passar para o financeiro | Vou ver com meu sócio e te dou retorno até {dia}
  | Fechado, pode faturar! | Ficou um pouco acima do que eu esperava, vou pensar
  | Pode separar, fecho com vocês
n Orçamento {pedido} enviado, R$ {total}. | Pediu {qtd} {prods}. Retornar até {dia}.`,
  ),
  script(
    'pedido novo',
    ['cliente', 'vip'],
    12,
    `
c {oi}! Quero fazer um pedido | {oi}, pode anotar um pedido? | {oi}, {op}! Pedido da semana, por favor
  | {oi}! Preciso repor umas coisas aqui na loja
o {opoi} Claro, pode mandar a lista. | {opoi} Pode falar, estou anotando.
  | {opoi} Vamos lá: o que vai ser hoje?
c {qtd} {prods} e {qtd2} {prods2} | São {qtd} {prods}. E mais {qtd2} {prods2}, se tiver | @voice
  | @image Segue a lista que o pessoal fez aqui | @audio Pedido da semana.m4a | @unsupported
o Anotado: {qtd} {prods} e {qtd2} {prods2}. Confirma?
  | Ficou assim: {qtd} {prods}, {qtd2} {prods2}. Mesmo endereço de entrega, na {rua}?
c Isso mesmo | Confirmo 👍 | Perfeito, no mesmo endereço | É isso aí | @gif
o Pedido {pedido} lançado. Total de R$ {total2}, entrega {dia}, {janela}.
  | Pronto, pedido {pedido}: R$ {total2}, com entrega {dia}.
  | Lançado! Número {pedido}, R$ {total2}. Sai daqui {dia} cedo.
c? Boleto para 28 dias, como sempre? | Manda o boleto no e-mail? | Pode ser no Pix dessa vez?
o= Isso, boleto para 28 dias no e-mail cadastrado. | Vai junto com a nota, no e-mail.
  | Pode sim, na chave de sempre. Depois me manda o comprovante?
n Pedido {pedido}, R$ {total2}, entrega {dia}.`,
  ),
  script(
    'repetir o pedido',
    ['cliente', 'vip'],
    7,
    `
c {oi}! Pode repetir o último pedido? | {oi}, {op}, repete o do mês passado pra mim?
  | Preciso do mesmo pedido da última vez, dá para entregar {dia}?
o {opoi} Foram {qtd} {prods} e {qtd2} {prods2}. Repito igual?
  | {opoi} O último foi o {pedido}: {qtd} {prods} e {qtd2} {prods2}. É esse?
c Igual, só aumenta {os} {prods} em 10% | Esse mesmo | Sim, e acrescenta mais 12 fitas transparentes
  | Pode ser igual
o Feito. Fica R$ {total2}, chega {dia}. | Repetido com a mesma condição: R$ {total2}, boleto para 28 dias.
  | Lançado agora. Entrega {dia}, {janela}.
n Repetiu o pedido anterior. Entrega {dia}.`,
  ),
  script(
    'sacola personalizada',
    ['lead', 'cliente', 'geral'],
    6,
    `
c {oi}! Vocês fazem sacola com a logo da loja?
  | {oi}, vi no Instagram que vocês personalizam sacola. Como funciona?
  | {oi}! Quero sacola kraft com a minha marca, quanto custa?
o {opoi} Fazemos a partir de 500 unidades, com uma ou duas cores. Tem a arte em vetor?
  | {opoi} Personalizamos sim! O mínimo é de 500 peças. Me manda a logo e o tamanho que você quer?
c @image Essa é a logo | @doc Logo {loja}.pdf | Tenho só em PNG, serve? | @image
o Dá para usar! Em kraft, tamanho médio, 1.000 sacolas saem a R$ 1,48 com uma cor.
  | Serve, sim. Fazemos a amostra digital em 2 dias e você aprova antes de imprimir.
  | Perfeito! Para uma cor fica R$ 1,48 cada em 1.000; duas cores, R$ 1,79.
c E o prazo? | Em quanto tempo fica pronto? | Preciso para {data}, dá tempo?
o Depois da arte aprovada, 12 dias úteis.
  | São 12 dias úteis depois da aprovação; com urgência conseguimos em 8, com acréscimo de 15%.
c? E se eu quiser 500 para testar? | Consegue mandar umas fotos de trabalhos prontos?
  | Tem algum vídeo da impressão?
o= Em 500 peças fica R$ 1,86 cada, com uma cor. | @image Essas saíram semana passada
  | @video Um pouco da nossa produção
n Aguardando aprovação da arte. | Interesse em 1.000 sacolas com uma cor.`,
  ),
  script(
    'medida sob encomenda',
    ['lead', 'cliente', 'vip'],
    5,
    `
c {oi}! Preciso de uma caixa de {medida}. Vocês fazem sob medida?
  | {oi}, tenho um produto que não cabe nas caixas padrão. Fazem {medida}?
o {opoi} Fazemos sob medida a partir de 200 unidades. Qual o peso do produto?
  | {opoi} Fazemos, sim. Quanto pesa, e vai por transportadora ou pelos Correios? É para definir a onda do
  papelão.
c Uns 6 kg, vai por transportadora | É leve, menos de 1 kg, vai pelos Correios
  | @image É esse produto aqui, 2 kg | Uns 12 kg, precisa ser reforçada
o= Então recomendo onda dupla, que aguenta o empilhamento. Sai a R$ {precocx} a partir de 200.
  | Para isso basta onda simples, R$ {precocx} cada. Mando uma amostra montada, se quiser.
  | Boa, com a foto ficou claro. Onda simples resolve: R$ {precocx} cada.
  | Nesse peso, só onda dupla com cantoneira. Fica em R$ {precocx}.
c Quero a amostra sim | Pode mandar uma amostra para {cidade}? | Manda a proposta por escrito, por favor
o= Amostra separada, sai {dia} sem custo. | Mando: sai {dia}, pela {transp}. | @doc Proposta {pedido}.pdf
n Amostra de caixa {medida} enviada. | Caixa sob medida {medida}.`,
  ),
  script(
    'estoque',
    ['cliente', 'lead', 'vip', 'geral'],
    8,
    `
c {oi}, tem {prod} em estoque? | {oi}! Ainda tem {prod}? | {oi}, vocês estão com {prod} para retirar hoje?
o {opoi} Temos {estoque} no depósito agora. | {opoi} Está acabando, mas chega mais {dia}. Quer que eu reserve?
  | {opoi} Temos sim, e a expedição fica aberta até as 18h. | {opoi} Tem, sim! Entraram {estoque} ontem.
c Reserva {qtd} para mim | Passo aí mais tarde, guarda {qtd}? | Pode reservar {qtd}, por favor
  | Ótimo, preciso de {qtd}
o Reservad{o}s {qtd} no seu nome até {dia}. | Fechado, deixo na expedição com o Cláudio. É só dizer seu nome.
  | Separado! Leve o número do pedido: {pedido}.
n Reserva de {qtd} {prods} até {dia}.`,
  ),
  script(
    'desconto',
    ['cliente', 'vip', 'lead'],
    4,
    `
c {oi}! Achei {o} {prod} mais barat{o} em outro lugar, vocês cobrem?
  | {oi}, se eu levar {qtd} {prods}, tem desconto?
  | {oi}, o concorrente me passou 8% a menos n{o} {prod}. Consegue chegar?
o= {opoi} Me manda o orçamento deles que eu levo para a gerência.
  | {opoi} Nessa quantidade consigo {desc}, e mantenho o frete sem custo.
  | {opoi} Consigo {desc} no Pix. No boleto fica o preço de tabela.
c= @image Olha aqui | E com {desc} dá para dividir no cartão? | Hum, precisava de um pouco mais
o Falei com a supervisora: liberou R$ {preco2} em {qtd} peças. | Chegamos a R$ {preco2}, que é o nosso limite.
  | Nesse caso faço R$ {preco2}, desde que feche até {dia}.
c Fechou! | Então pode lançar | Combinado, faz o pedido | Vou pensar e te falo
n Liberado desconto com a supervisora: R$ {preco2} n{o} {prod}.`,
  ),
  script(
    'catálogo',
    ['lead', 'geral'],
    5,
    `
c {oi}! Pode me mandar a tabela de preços? | {oi}, vocês têm catálogo?
  | {oi}! Vim pelo Instagram, queria conhecer os produtos
  | {oi}, estou abrindo uma loja e preciso de embalagens
o {opoi} Claro! É para que tipo de produto?
  | {opoi} Seja bem-vind{cli}! Me conta um pouco do que você precisa embalar?
  | {opoi} Mando sim. O que você vende?
c Doces e salgados | É roupa, vendo pela internet | Uma hamburgueria, delivery | Velas e sabonetes artesanais
  | Peças de moto
o @doc Catálogo Empório Aurora.pdf | @doc Tabela de preços.pdf
  | @doc Catálogo Empório Aurora.pdf Separei a página que costuma servir para isso
c Muito bom! E qual o pedido mínimo? | Qual o mínimo para comprar? | Precisa de CNPJ?
o= O pedido mínimo é de R$ 150,00 e vendemos para CPF também.
  | Para entrega o mínimo é R$ 150,00; retirando aqui não tem mínimo. | Não precisa, vendemos para CPF também.
c? Vocês têm loja para eu ver pessoalmente? | Onde vocês ficam?
o+ @location Empório Aurora Embalagens; Rua Conselheiro Saraiva, 318 - Santana, São Paulo
  | Na Rua Conselheiro Saraiva, 318, em Santana. De segunda a sexta até as 18h.
n Enviado catálogo. Primeiro contato.`,
  ),
  script(
    'dúvida de produto',
    ['cliente', 'lead', 'geral'],
    6,
    `
c {oi}, {o} {prod} pode ir no micro-ondas? | {oi}! Qual a diferença entre o saco kraft 60 e o 80?
  | {oi}, {o} {prod} serve para produto congelado? | {oi}, o plástico-bolha de vocês é antiestático?
o= {opoi} Não recomendamos: o material não é para calor.
  | {opoi} O de 80 g aguenta até 4 kg; o de 60 g, até 2 kg.
  | {opoi} Serve até −18 °C, desde que fique bem fechado.
  | {opoi} O nosso é o comum. O antiestático, rosa, vem sob encomenda em 5 dias.
o? @doc Ficha técnica.pdf | Se quiser, te mando também a ficha técnica.
c Entendi. E qual você indica para {uso}? | Ah, bom saber | Era o que eu precisava saber
o= Para {uso} eu levaria a linha reforçada, que aguenta melhor. | Posso mandar duas amostras para você testar.
  | Que bom! Na dúvida, é só perguntar.
n Dúvida técnica sobre {prod}.`,
  ),
  script(
    'data comemorativa',
    ['cliente', 'vip', 'lead'],
    3,
    `
c {oi}! Já tem embalagem para {festa}? | {oi}, vocês vão ter linha especial para {festa}?
  | {oi}! Quero me programar para {festa}. Quando sai a coleção?
o {opoi} A linha já está no catálogo: três estampas de caixa e duas de sacola.
  | {opoi} Temos! E até {data} tem {desc} de desconto na antecipação.
c Manda foto? | Quero ver as estampas | Qual sai mais?
o= @image A vermelha é a que mais sai | @image | A kraft com fita de cetim foi a mais vendida no ano passado.
c Reserva 200 da primeira | Linda! Vou querer 150 | Vou mostrar para a minha irmã e já te falo
o= Reservadas, com entrega até {data}. | Perfeito. Para garantir a estampa, pedimos 30% de sinal.
  | Mostra sim! Seguro até {dia} para você.
n Reserva da linha para {festa}.`,
  ),
] as const
